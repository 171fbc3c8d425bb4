; Colours. Later patterns win.
(comment) @comment
((comment) @comment.documentation (#match? @comment.documentation "^//[/!]"))
(string) @string
[(number) (duration)] @number
[(boolean) (none) (result)] @constant.builtin
"none" @constant.builtin
(wildcard) @variable.special

(name) @variable
(header name: (name) @module)
(component_item name: (name) @module)
(type_item name: (name) @type)
(enum_item name: (name) @type)
(record_item name: (name) @type)
(object_item name: (name) @type)
(variant name: (name) @constructor)
(const_item name: (name) @constant)
(parameter name: (name) @variable.parameter)
(parameter (name) @type .)
(range_type) @type
(generic_type ["Option" "Seq" "Set" "Map"] @type.builtin)
((name) @type.builtin (#any-of? @type.builtin "Bool" "Int" "String"))
(def_item name: (name) @function)
(proc_item name: (name) @function)
(call function: (name) @function.call)
(call_statement proc: (name) @function.call)
(method method: (name) @function.method)
(field field: (name) @property)
(action name: (name) @function)
(trigger action: (name) @function.call)
(event action: (name) @function.call)
(at_item name: (name) @label)
(choice_item name: (name) @label)
(collect_item name: (name) @label)
(start_item location: (name) @label)
(target location: (name) @label)
(place location: (name) @label)
[(property_item name: (name) @function) (observer_item name: (name) @function) (scenario_item name: (name) @function)
 (goal_item name: (name) @function) (setup_item name: (name) @function)]

["import" "system" "reactive" "synchronous" "type" "enum" "record" "object" "const" "var" "init" "accepting" "def" "proc"
 "may" "input" "output" "internal" "signal" "requires" "ensures" "choose" "exclusive" "exactly" "one" "relation" "start" "at"
 "entry" "exit" "choice" "collect" "check" "done" "on" "when" "component" "observer" "property" "goal" "under" "after"
 "scenario" "expect" "step" "wait" "setup" "extends" "domain" "limit" "without" "keep" "group" "interchangeable" "weight" "bag"
 "cleanup" "conformance" "refusals" "transit" "finish" "arcs" "overwrites" "run" "tests" "of" "steps" "seed" "states" "depth"
 "timeout" "let" "for" "every" "where" "emit" "return" "assert" "match" "new" "old"] @keyword
["if" "then" "else"] @keyword.conditional
["and" "or" "not" "implies" "iff" "in" "is" "always" "never" "possible" "once" "historically" "previously" "next" "within"
 "since" "until" "unless"] @keyword.operator
["=" "+=" "-=" "==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "&" ".." "..." "->" "=>"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "."] @punctuation.delimiter
