// The grammar for editors that colour by trees. The parser of Interplay itself is crates/syntax; the tests parse every
// example with both. Words are names wherever the grammar does not expect them, as there.

const LEVELS = {
  open: 1, iff: 2, implies: 3, or: 4, and: 5, until: 6, prefix: 7, compare: 8, range: 9, add: 10, multiply: 11, minus: 12, suffix: 13,
};

const comma1 = (rule) => seq(rule, repeat(seq(",", rule)));
const list1 = (rule) => seq(rule, repeat(seq(",", rule)), optional(","));
const list = (rule) => optional(list1(rule));

module.exports = grammar({
  name: "interplay",

  word: ($) => $.plain_name,
  extras: ($) => [/[\s\uFEFF]/, $.comment],
  supertypes: ($) => [$._expression, $._type, $._pattern, $._statement, $._item],

  conflicts: ($) => [
    [$.event, $.name_expression],
    [$._pattern, $.variant_pattern],
    [$.name_expression, $.call],
    [$._expression, $.range_type],
    [$._pattern, $.name_expression],
    [$.set, $.block],
    [$.trigger],
    [$.at_expression],
    [$.binders],
    [$.step_line],
    [$.rule],
    [$._type, $.name_expression],
    [$._type, $.call],
    [$.tuple_type, $.parenthesised],
  ],

  rules: {
    file: ($) => seq(repeat($.import), optional($.header), repeat($._item)),

    comment: () => token(seq("//", /[^\r\n]*/)),
    import: ($) => seq("import", $.string),
    header: ($) => seq("system", field("name", $.name), optional(choice("reactive", "synchronous"))),

    _item: ($) => choice(
      $.type_item, $.enum_item, $.record_item, $.object_item, $.const_item, $.var_item, $.init_item, $.def_item, $.proc_item,
      $.action_item, $.relation_item, $.start_item, $.at_item, $.choice_item, $.collect_item, $.on_item, $.component_item,
      $.accepting_item, $.observer_item, $.property_item, $.scenario_item, $.goal_item, $.setup_item,
    ),

    type_item: ($) => seq("type", field("name", $.name), "=", $._type),
    enum_item: ($) => seq("enum", field("name", $.name), "{", list($.variant), "}"),
    variant: ($) => seq(field("name", $.name), optional(seq("(", list($._type), ")"))),
    record_item: ($) => seq("record", field("name", $.name), "{", list($.parameter), "}"),
    object_item: ($) => seq("object", comma1(field("name", $.name))),
    const_item: ($) => seq("const", field("name", $.name), ":", $._type, optional(seq("=", $._expression))),
    var_item: ($) => seq("var", field("name", $.name), ":", $._type, optional(seq("=", $._expression))),
    init_item: ($) => seq("init", $._expression),
    accepting_item: ($) => seq("accepting", $._expression),
    def_item: ($) => seq("def", field("name", $.name), optional($.parameters), optional(seq(":", $._type)), "=", $._expression),
    proc_item: ($) => seq("proc", field("name", $.name), $.parameters, $.block),
    parameters: ($) => seq("(", list($.parameter), ")"),
    parameter: ($) => seq(field("name", $.name), ":", $._type),

    action_item: ($) => seq(
      optional("may"), choice("input", "output", "internal"), optional("signal"), comma1($.action)),
    action: ($) => prec.right(seq(
      field("name", $.name), optional($.parameters), optional(seq("->", $._type)), repeat($._clause), optional($.block))),
    _clause: ($) => choice(seq("requires", $._expression), seq("ensures", $._expression), $.choose),
    choose: ($) => prec.right(seq("choose", field("name", $.name), "in", $._expression, optional(seq("where", $._expression)))),

    relation_item: ($) => choice(
      seq("exclusive", comma1($.relation_term)),
      seq("exactly", "one", comma1($.relation_term)),
      seq("relation", $._expression),
    ),
    relation_term: ($) => prec.right(seq(field("action", $.name), optional(seq("(", list($.name), ")")))),

    start_item: ($) => seq("start", field("location", $.name)),
    at_item: ($) => seq("at", comma1(field("name", $.name)), "{", repeat(choice($.entry, $.exit, $.on_item)), "}"),
    entry: ($) => seq("entry", $.block),
    exit: ($) => seq("exit", $.block),
    choice_item: ($) => seq("choice", field("name", $.name), "{", repeat(choice($.entry, $.exit, $.rule)), "}"),
    collect_item: ($) => seq(
      "collect", field("name", $.name), "(", list(field("event", $.name)), ")",
      "{", repeat(choice($.entry, $.exit, $.check, $.done)), "}"),
    check: ($) => prec.right(seq("check", $._expression, optional(seq("else", optional($.block), optional($.target))))),
    done: ($) => prec.right(seq("done", optional($.guard), optional($.block), optional($.target))),

    on_item: ($) => seq("on", $.rule),
    rule: ($) => seq($.trigger, repeat($.choose), optional($.guard), optional($.block), optional($.target)),
    trigger: ($) => choice(
      "step", "silence", "any",
      seq(field("action", $.name), optional(seq("(", list(choice($._pattern, $.equal_pattern)), ")")),
        optional(seq("->", field("result", $.name)))),
    ),
    guard: ($) => seq("when", $._expression),
    target: ($) => seq("->", field("location", $.name)),
    equal_pattern: ($) => seq("=", $._expression),

    component_item: ($) => seq("component", field("name", $.name), "{", repeat($._item), "}"),
    observer_item: ($) => seq(
      "observer", field("name", $.name), choice("never", "possible"), "{",
      repeat(choice($.var_item, $.start_item, $.at_item)), "}"),
    property_item: ($) => seq("property", field("name", $.name), ":", $._expression),
    goal_item: ($) => prec.right(seq(
      "goal", field("name", $.name), optional($.parameters), optional(seq("under", comma1(field("setup", $.name)))),
      ":", $._expression, repeat(seq("after", $._expression)))),

    scenario_item: ($) => seq(
      "scenario", field("name", $.name), optional($.parameters), optional(seq("where", $._expression)),
      "{", repeat($._line), "}"),
    _line: ($) => choice($.expect_line, $.step_line, $.silence_line, $.wait_line, $.event_line),
    expect_line: ($) => seq("expect", $._expression),
    step_line: ($) => prec.right(seq("step", optional(comma1($.event)), optional($.outputs))),
    silence_line: () => "silence",
    wait_line: ($) => seq("wait", $.duration),
    event_line: ($) => prec.right(seq($.event, optional(seq("->", $._expression)), optional($.outputs))),
    outputs: ($) => prec.right(seq("/", choice("nothing", "...", seq(comma1($.event), optional(seq(",", "...")))))),
    event: ($) => prec.right(seq(field("action", $.name), optional(seq("(", list(choice($._expression, $.wildcard)), ")")))),

    setup_item: ($) => seq(
      "setup", field("name", $.name), optional(seq("extends", field("base", $.name))), "{", repeat($.entry_line), "}"),
    entry_line: ($) => prec.right(choice(
      seq("const", field("name", $.name), "=", $._expression),
      seq("domain", $.name, optional(seq(".", $.name)), "=", $._expression),
      seq("limit", $.name, ":", $._expression),
      seq("without", comma1($.name)),
      seq("keep", $._expression),
      seq("group", $._expression, optional($.guard)),
      seq("interchangeable", comma1($.name)),
      seq("weight", $.name, "=", optional("bag"), $._expression),
      seq("wait", $.duration, optional($.guard)),
      seq("cleanup", comma1($.name)),
      seq("conformance", choice("uioco", "ioco", "alternating", "none")),
      seq("refusals", choice("fail", "ignore", "unspecified")),
      seq("silence", choice(seq("judged", optional($.duration)), "unjudged")),
      seq("transit", choice("immediate", seq("queue", $.number))),
      seq("finish", choice("anywhere", "accepting")),
      seq("arcs", choice("pruned", "parallel")),
      seq("overwrites", choice("none", "unlimited", $.number)),
      seq("run", $.number, "tests", "of", $.number, "steps"),
      seq(choice("seed", "states", "depth"), $.number),
      seq("timeout", $.duration),
    )),

    _type: ($) => choice($.name, $.range_type, $.tuple_type, $.generic_type),
    range_type: ($) => prec(1, seq($._expression, "..", $._expression)),
    tuple_type: ($) => seq("(", list1($._type), ")"),
    generic_type: ($) => seq(choice("Option", "Seq", "Set", "Map"), "<", comma1($._type), ">"),

    block: ($) => seq("{", repeat($._statement), "}"),
    _statement: ($) => choice(
      $.assignment, $.let, $.if_statement, $.match_statement, $.for_statement, $.emit, $.return, $.assert, $.call_statement),
    assignment: ($) => seq($._place, choice("=", "+=", "-="), $._expression),
    _place: ($) => choice($.name, $.place_index, $.place_field),
    place_index: ($) => seq($._place, "[", $._expression, "]"),
    place_field: ($) => seq($._place, ".", choice($.name, $.number)),
    let: ($) => seq("let", field("name", $.name), "=", $._expression),
    if_statement: ($) => prec.right(seq("if", $._expression, $.block, optional(seq("else", choice($.block, $.if_statement))))),
    match_statement: ($) => seq("match", $._expression, "{", repeat(seq($._pattern, "=>", $.block, optional(","))), "}"),
    for_statement: ($) => seq("for", field("name", $.name), "in", $._expression, optional(seq("where", $._expression)), $.block),
    emit: ($) => seq("emit", $.event),
    return: ($) => seq("return", $._expression),
    assert: ($) => seq("assert", $._expression),
    call_statement: ($) => seq(field("proc", $.name), "(", list($._expression), ")"),

    _pattern: ($) => choice(
      $.wildcard, $.name, $.number, $.string, $.boolean, "none", $.negative, $.some_pattern, $.variant_pattern, $.tuple_pattern),
    negative: ($) => seq("-", $.number),
    some_pattern: ($) => seq("some", "(", $._pattern, ")"),
    variant_pattern: ($) => choice(
      seq(optional(seq(field("enum", $.name), ".")), field("variant", $.name), "(", list($._pattern), ")"),
      seq(field("enum", $.name), ".", field("variant", $.name)),
    ),
    tuple_pattern: ($) => seq("(", list1($._pattern), ")"),
    wildcard: () => "_",

    _expression: ($) => choice(
      $.name_expression, $.number, $.duration, $.string, $.boolean, $.none, $.result, $.parenthesised, $.tuple, $.call, $.record,
      $.field, $.method, $.index, $.unary, $.binary, $.is, $.if_expression, $.match_expression, $.quantified, $.temporal,
      $.sequence, $.set, $.map, $.at_expression, $.new, $.some, $.old,
    ),
    name_expression: ($) => $.name,
    none: () => "none",
    result: () => "result",
    boolean: () => choice("true", "false"),
    parenthesised: ($) => seq("(", $._expression, ")"),
    tuple: ($) => seq("(", $._expression, ",", list($._expression), ")"),
    call: ($) => prec(LEVELS.suffix, seq(
      field("function", $.name), "(", choice($.comprehension, list(choice($._expression, $.wildcard))), ")")),
    record: ($) => prec(LEVELS.suffix, seq(field("type", $.name), "(", list1(seq(field("field", $.name), ":", $._expression)), ")")),
    field: ($) => prec.left(LEVELS.suffix, seq($._expression, ".", field("field", choice($.name, $.number, $._word_field)))),
    method: ($) => prec.left(LEVELS.suffix + 1, seq(
      $._expression, ".", field("method", choice($.name, $._word_field)), "(", list($._expression), ")")),
    // After a dot every word is a name.
    _word_field: () => choice("or", "and", "not", "in", "is", "next", "once", "some", "none", "old", "new", "result"),
    index: ($) => prec.left(LEVELS.suffix, seq($._expression, "[", $._expression, "]")),
    unary: ($) => choice(
      prec(LEVELS.prefix, seq("not", $._expression)),
      prec(LEVELS.minus, seq("-", $._expression)),
    ),
    binary: ($) => choice(
      prec.left(LEVELS.iff, seq($._expression, "iff", $._expression)),
      prec.right(LEVELS.implies, seq($._expression, "implies", $._expression)),
      prec.left(LEVELS.or, seq($._expression, "or", $._expression)),
      prec.left(LEVELS.and, seq($._expression, "and", $._expression)),
      prec.left(LEVELS.until, seq($._expression, choice("since", "until", "unless"), $._expression)),
      prec.left(LEVELS.compare, seq($._expression, choice("==", "!=", "<", "<=", ">", ">=", "in", seq("not", "in")), $._expression)),
      prec.left(LEVELS.range, seq($._expression, "..", $._expression)),
      prec.left(LEVELS.add, seq($._expression, choice("+", "-", "&"), $._expression)),
      prec.left(LEVELS.multiply, seq($._expression, choice("*", "/", "%"), $._expression)),
    ),
    is: ($) => prec.left(LEVELS.compare, seq($._expression, "is", $._pattern)),
    if_expression: ($) => prec.right(LEVELS.open, seq("if", $._expression, "then", $._expression, "else", $._expression)),
    match_expression: ($) => seq("match", $._expression, "{", list(seq($._pattern, "=>", $._expression)), "}"),
    quantified: ($) => prec.right(LEVELS.open, seq("for", choice("every", "some"), $.binders, ":", $._expression)),
    binders: ($) => prec.right(seq(comma1($.binder), optional(seq("where", $._expression)))),
    binder: ($) => seq(field("name", $.name), choice(seq("in", $._expression), seq(":", $._type))),
    temporal: ($) => choice(
      prec.right(LEVELS.open, seq(choice("always", "never", "possible"), $._expression)),
      prec(LEVELS.prefix, seq(choice("once", "historically"), $._expression)),
      prec(LEVELS.prefix, seq(choice("previously", "next"), optional($.number), $._expression)),
      prec(LEVELS.prefix, seq("within", choice($.number, $.duration), $._expression)),
    ),
    sequence: ($) => seq("[", choice($.comprehension, list($._expression)), "]"),
    set: ($) => seq("{", choice($.comprehension, list($._expression)), "}"),
    map: ($) => seq("{", choice($.map_comprehension, list1(seq($._expression, ":", $._expression))), "}"),
    comprehension: ($) => seq($._expression, "for", $.binders),
    map_comprehension: ($) => seq($._expression, ":", $._expression, "for", $.binders),
    at_expression: ($) => prec.right(LEVELS.suffix, seq("at", comma1($.place))),
    place: ($) => prec.right(1, seq(optional(seq(field("component", $.name), ".")), field("location", $.name))),
    new: ($) => seq("new", $.name),
    some: ($) => seq("some", "(", $._expression, ")"),
    old: ($) => seq("old", "(", $._expression, ")"),

    name: ($) => choice($.plain_name, $.quoted_name),
    plain_name: () => /[\p{XID_Start}_]\p{XID_Continue}*/,
    quoted_name: () => /`[^`\r\n]+`/,
    number: () => /[0-9][0-9_]*/,
    duration: () => /[0-9][0-9_]*(us|ms|s|m|h)/,
    string: () => /"([^"\\\r\n]|\\[^\r\n])*"/,
  },
});
