//! How texts are understood: precedence, places where the grammar could be read in two ways, and words that are names.

use crate::common::{messages, parsed, tree};
use expect_test::{Expect, expect};
use interplay_syntax::ast::*;

/// The expressions with all their parentheses.
fn check(expressions: &str, expected: Expect) {
    let text: String = expressions.lines().map(|line| format!("def x = {line}\n")).collect();
    assert_eq!(messages(&text), "");
    let (file, _) = parsed(&text);
    let show_item = |item: &Item| match &item.kind {
        ItemKind::Def { body, .. } => show(body),
        other => panic!("a definition, not {other:?}"),
    };
    expected.assert_eq(&file.items.iter().map(show_item).collect::<Vec<_>>().join("\n"));
}

fn show(expression: &Expr) -> String {
    match &expression.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Literal(Literal::Int(value)) => value.to_string(),
        ExprKind::Binary { operator, left, right } => format!("({} {operator:?} {})", show(left), show(right)),
        ExprKind::Unary { operator, operand } => format!("({operator:?} {})", show(operand)),
        ExprKind::Temporal { operator, operand } => format!("({operator:?} {})", show(operand)),
        ExprKind::Is { value, .. } => format!("({} Is)", show(value)),
        ExprKind::Field { of, field } => format!("{}.{}", show(of), field.text),
        ExprKind::Index { of, index } => format!("{}[{}]", show(of), show(index)),
        ExprKind::Quantified { quantifier, condition, body, .. } => {
            let condition = condition.as_ref().map(|condition| format!(" where {}", show(condition)));
            format!("({quantifier:?}{}: {})", condition.unwrap_or_default(), show(body))
        }
        ExprKind::If { condition, then, otherwise } => {
            format!("(if {} then {} else {})", show(condition), show(then), show(otherwise))
        }
        ExprKind::At(places) => format!("(at {})", places.len()),
        ExprKind::Call { name, args } => format!("{}({})", name.text, show_all(args)),
        ExprKind::Set(elements) => format!("{{{}}}", show_all(elements)),
        other => format!("{other:?}").split([' ', '(']).next().unwrap_or_default().to_string(),
    }
}

fn show_all(expressions: &[Expr]) -> String {
    expressions.iter().map(show).collect::<Vec<_>>().join(", ")
}

#[test]
fn precedence() {
    check(
        "a iff b implies c implies d or e and f
a + b - c & d * e / f % g
- a.b * c
not a == b
not a since not b
not a and b
a in 1..n + 1
a not in b and not c
always a implies b
a and always b or c
for every x in s where c: a iff b
once a and b
previously 3 a
previously 3 == a
previously a == 3
next 2 (a) or b
within 50ms a and b
if a then b else c + d
a is some(_) and b
a.b[c].d
-9223372036854775808",
        expect![[r#"
            (a Iff (b Implies (c Implies (d Or (e And f)))))
            (((a Add b) Subtract c) Intersect (((d Multiply e) Divide f) Remainder g))
            ((Minus a.b) Multiply c)
            (Not (a Equal b))
            ((Not a) Since (Not b))
            ((Not a) And b)
            (a In (1 Range (n Add 1)))
            ((a NotIn b) And (Not c))
            (Always (a Implies b))
            (a And (Always (b Or c)))
            (Every where c: (a Iff b))
            ((Once a) And b)
            (Previously(3) a)
            (Previously(1) (3 Equal a))
            (Previously(1) (a Equal 3))
            ((Next(2) a) Or b)
            ((WithinTime(50000) a) And b)
            (if a then b else (c Add d))
            ((a Is) And b)
            a.b[c].d
            -9223372036854775808"#]],
    );
}

#[test]
fn words_of_formulas_bind_as_others_and_are_names_elsewhere() {
    check(
        "a and b leads to c or d\nalways a leads to eventually b\na release b and c\nnot eventually a\nleads and release",
        expect![[r#"
            ((a And b) LeadsTo (c Or d))
            (Always (a LeadsTo (Eventually b)))
            ((a Release b) And c)
            (Not (Eventually a))
            (leads And release)"#]],
    );
    assert_eq!(messages("var leads: Int = 0\ninput release { leads = 1 }\nstrongly fair a, b\nfair c\n"), "");
    assert_eq!(messages("property p assuming always eventually a, b: c leads to d\n"), "");
}

#[test]
fn places_after_at_are_taken_while_they_can_be_places() {
    check(
        "at A, B.C or at D\nf(at A, g(b))\nf(at A, b)\n{at A, b[1]}",
        expect![[r#"
        ((at 2) Or (at 1))
        f((at 1), g(b))
        f((at 2))
        {(at 1), b[1]}"#]],
    );
}

#[test]
fn an_arrow_after_a_trigger_is_a_result_if_the_rule_goes_on() {
    let result = |text: &str| match &parsed(text).0.items[0].kind {
        ItemKind::On(Rule { trigger: Trigger::Action { result, .. }, target, .. }) => {
            (result.as_ref().map(|name| name.text.clone()), target.as_ref().map(|name| name.text.clone()))
        }
        other => panic!("a rule, not {other:?}"),
    };
    let name = |text: &str| Some(text.to_string());
    assert_eq!(result("on a -> B"), (None, name("B")));
    assert_eq!(result("on a() -> r when r"), (name("r"), None));
    assert_eq!(result("on a() -> r { x = r } -> B"), (name("r"), name("B")));
    assert_eq!(result("on a() -> r -> B"), (name("r"), name("B")));
}

#[test]
fn a_slash_after_a_result_starts_the_outputs() {
    let (file, _) = parsed("scenario s { a() -> 4 / b  c() -> (4 / 2) / d }");
    let ItemKind::Scenario(scenario) = &file.items[0].kind else { panic!("a scenario") };
    let outputs = |line: &ScenarioLine| match &line.kind {
        ScenarioLineKind::Event { outputs: Some(outputs), .. } => outputs.events[0].name.text.clone(),
        other => panic!("an event, not {other:?}"),
    };
    assert_eq!(scenario.lines.iter().map(outputs).collect::<Vec<_>>(), ["b", "d"]);
}

#[test]
fn events_may_have_the_names_of_declarations() {
    let (file, diagnostics) =
        parsed("scenario s {\n    start stop\n    input / output\n}\nchoice C {\n    start stop -> A\n}\n");
    assert!(diagnostics.is_empty());
    let ItemKind::Scenario(scenario) = &file.items[0].kind else { panic!("a scenario") };
    let ItemKind::Choice { body, .. } = &file.items[1].kind else { panic!("a choice") };
    assert_eq!((scenario.lines.len(), body.len()), (3, 2));
}

#[test]
fn documentation_goes_to_what_follows() {
    let (file, _) = parsed(
        "//! One.\n//! Two.\nsystem S\n/// First\n///   indented\nvar x: Int = 0 // plain\n//// line\nvar y: Int = 0\n",
    );
    assert_eq!(file.doc, "One.\nTwo.");
    assert_eq!(file.items[0].doc, "First\n  indented");
    assert_eq!(file.items[1].doc, "");
}

#[test]
fn back_quotes_make_names_of_words() {
    assert_eq!(tree("def x = `and`"), tree("def x = `and`  "));
    let (file, diagnostics) = parsed("setup s { weight a = `bag` }\non `step`\n");
    assert!(diagnostics.is_empty());
    assert!(matches!(&file.items[1].kind, ItemKind::On(Rule { trigger: Trigger::Action { .. }, .. })));
}

#[test]
fn spans_cover_what_they_are_about() {
    let text = "var x: Int = (1 + 2) * y  // end\ninput a(p: Int) requires p > 1";
    let (file, _) = parsed(text);
    let spans: Vec<&str> = file.items.iter().map(|item| &text[item.span.range()]).collect();
    assert_eq!(spans, ["var x: Int = (1 + 2) * y", "input a(p: Int) requires p > 1"]);
    let ItemKind::Var { value: Some(Expr { kind: ExprKind::Binary { left, .. }, .. }), .. } = &file.items[0].kind
    else {
        panic!("a variable with a product")
    };
    assert_eq!(&text[left.span.range()], "(1 + 2)");
}
