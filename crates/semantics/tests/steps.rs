//! The three disciplines, step by step.

use crate::support::*;
use interplay_semantics::{Label, State, show_difference, show_state};

const CHAT: &str = r#"
system Chat
object Client
type Message = String
var members: Map<Client, Map<Client, Seq<Message>>> = {}
def pending: Int = sum(q.length for queues in members.values, q in queues.values)
input create() -> Client { return new Client }
input enter(c: Client) requires c not in members {
    for d in members.keys { members[d][c] = [] }
    members[c] = { d: [] for d in members.keys where d != c }
}
input post(sender: Client, text: Message) requires sender in members and members.size > 1 {
    for receiver in members.keys where receiver != sender { members[receiver][sender] += [text] }
}
output deliver(sender: Client, receiver: Client, text: Message)
    requires receiver in members and sender in members[receiver] and members[receiver][sender].starts_with([text])
{ members[receiver][sender] = members[receiver][sender].rest }
accepting pending == 0
setup two_clients {
    domain Message = { "hi", "bye" }
    limit create: Client.count < 2
    limit enter: Client.count == 2
    limit post: members.size == 2
    keep pending < 3
}
"#;

#[test]
fn objects_are_made_returned_and_named() {
    let chat = instance(CHAT);
    assert_eq!(steps(&chat, &start(&chat)), ["create() -> Client#0"]);
    let two = run(&chat, &["create() -> Client#0", "create() -> Client#1"]);
    assert_eq!(steps(&chat, &two), ["enter(Client#0)", "enter(Client#1)"]);
}

#[test]
fn a_difference_is_told_at_the_finest_place() {
    let chat = instance(CHAT);
    let texts = ["create() -> Client#0", "create() -> Client#1", "enter(Client#0)", "enter(Client#1)"];
    let before = run(&chat, &texts);
    assert_eq!(
        show_state(chat.model(), &before),
        ["Client.count = 2", "members = { Client#0: { Client#1: [] }, Client#1: { Client#0: [] } }"]
    );
    let after = chat.successors(&before, &label(&chat, &before, "post(Client#1, \"hi\")")).unwrap();
    assert_eq!(show_difference(chat.model(), &before, &after[0]), ["members[Client#0][Client#1]: [] -> [\"hi\"]"]);
    assert!(chat.accepting(&before).unwrap());
    assert!(!chat.accepting(&after[0]).unwrap());
    assert!(chat.rests(&before).unwrap());
    assert!(!chat.rests(&after[0]).unwrap());
}

/// Figures of the reference program `chat.py`, without grouping.
#[test]
fn a_chat_has_the_states_of_the_reference_program() {
    let with = |clients: &str, pending: &str| {
        let text = CHAT.replace("{ \"hi\", \"bye\" }", "{ \"hi\" }").replace("pending < 3", pending);
        instance(&text.replace("count < 2", &format!("count < {clients}")).replace("== 2", &format!("== {clients}")))
    };
    assert_eq!(count(&with("2", "pending < 2"), 100), (8, 10));
    let no_duplicates = "pending < 3 and for every q in members.values, m in q.values: m.length == m.elements.size";
    assert_eq!(count(&with("3", no_duplicates), 100), (20, 30));
}

#[test]
fn a_given_step_is_judged_by_the_guards_and_not_by_the_setup() {
    let chat = instance(CHAT);
    let state = run(&chat, &["create() -> Client#0", "create() -> Client#1"]);
    let create = chat.model().action_named("create").unwrap();
    let third = interplay_semantics::Event::new(create, vec![]);
    assert_eq!(chat.successors(&state, &Label::input(third.clone())).unwrap().len(), 1);
    let wrong = third.returning(interplay_semantics::Value::Object { object: interplay_model::ObjectId(0), index: 7 });
    assert_eq!(chat.successors(&state, &Label::input(wrong)).unwrap(), []);
}

const PHONE: &str = r#"
system Telephone reactive
type Address = String
enum Mode { idle, dialing, ringing, busy }
var known: Set<Address> = {}
var mode: Map<Address, Mode> = {}
input init_address(u: Address), offhook(u: Address), dial(u: Address, to: Address)
output dialtone(u: Address), ringback(u: Address), busytone(u: Address), ring(u: Address)
exclusive ringback(u), busytone(u)
component Pots {
    on init_address(u) when u not in known { known += {u}  mode[u] = idle }
    on offhook(u) when u in known and mode[u] == idle { mode[u] = dialing  emit dialtone(u) }
    on dial(u, to) when u in known and mode[u] == dialing and to in known and mode[to] == idle {
        mode[u] = ringing  emit ringback(u)  emit ring(to)
    }
}
component Screening {
    input screen(u: Address)
    var screened: Set<Address> = {}
    on screen(u) when u in known { screened += {u} }
    on dial(u, to) when u in known and mode[u] == dialing and to in screened { SCREENED emit busytone(u) }
}
setup two { domain Address = { "1", "2" } }
"#;

#[test]
fn a_reaction_shows_all_outputs_in_the_order_of_their_texts() {
    let phone = instance(&PHONE.replace("SCREENED", ""));
    let state = run(&phone, &["init_address(\"1\")", "init_address(\"2\")", "offhook(\"1\") / dialtone(\"1\")"]);
    assert_eq!(
        steps(&phone, &state),
        [
            "offhook(\"2\") / dialtone(\"2\")",
            "dial(\"1\", \"2\") / ring(\"2\"), ringback(\"1\")",
            "screen(\"1\")",
            "screen(\"2\")"
        ]
    );
}

#[test]
fn components_that_emit_exclusive_outputs_are_in_conflict() {
    let phone = instance(&PHONE.replace("SCREENED", ""));
    let state = run(
        &phone,
        &["init_address(\"1\")", "init_address(\"2\")", "screen(\"2\")", "offhook(\"1\") / dialtone(\"1\")"],
    );
    assert_eq!(
        error(&phone, &state).to_string(),
        "M006: `Pots` emits `ringback(\"1\")` and `Screening` emits `busytone(\"1\")`, which are exclusive"
    );
}

#[test]
fn components_that_write_different_values_are_in_conflict() {
    let phone = instance(&PHONE.replace("SCREENED", "mode[u] = busy"));
    let state = run(
        &phone,
        &["init_address(\"1\")", "init_address(\"2\")", "screen(\"2\")", "offhook(\"1\") / dialtone(\"1\")"],
    );
    let conflict = error(&phone, &state);
    assert_eq!(
        conflict.to_string(),
        "M006: `Pots` and `Screening` write different values to `mode[\"1\"]`: ringing and busy"
    );
    assert_eq!(conflict.values, [("Pots".into(), "ringing".into()), ("Screening".into(), "busy".into())]);
    assert!(conflict.label.is_some());
}

#[test]
fn components_may_write_the_same_value_to_one_place_and_different_places_of_one_map() {
    let both = instance(
        "system S reactive input go
         var m: Map<Int, Int> = {}
         component A { on go { m[1] = 1  m[3] = 3 } }
         component B { on go { m[2] = 2  m[3] = 3 } }",
    );
    let after = run(&both, &["go"]);
    assert_eq!(show_state(both.model(), &after), ["m = { 1: 1, 2: 2, 3: 3 }"]);
}

#[test]
fn a_part_and_the_whole_agree_only_if_the_whole_has_that_part() {
    let text = |value: &str| {
        format!(
            "system S reactive input go
             var m: Map<Int, Int> = {{}}
             component A {{ on go {{ m = {{ 1: 1, 2: 2 }} }} }}
             component B {{ on go {{ m[2] = {value} }} }}"
        )
    };
    let agree = instance(&text("2"));
    assert_eq!(steps(&agree, &start(&agree)), ["go"]);
    let differ = instance(&text("3"));
    assert_eq!(steps(&differ, &start(&differ)), ["M006: `A` and `B` write different values to `m[2]`: 2 and 3"]);
}

const ELEVATOR: &str = "
system Elevator synchronous
input signal go1, go2, go3
output signal open, closed, moving, stopped, floor1, floor2, floor3
exclusive go1, go2, go3
exclusive open, closed
exclusive moving, stopped
exactly one floor1, floor2, floor3
relation open implies not moving
";

#[test]
fn without_rules_outputs_are_free_up_to_the_relations() {
    let elevator = instance(ELEVATOR);
    let state = start(&elevator);
    let all = steps(&elevator, &state);
    // Four sets of inputs; of nine doors with motors one is excluded; three floors.
    assert_eq!(all.len(), 4 * 8 * 3);
    assert!(all.contains(&"step / floor1".to_string()));
    assert!(all.contains(&"step go1 / floor3, open, stopped".to_string()));
    let step = label(&elevator, &state, "step go2 / closed, floor2, moving");
    assert_eq!(elevator.successors(&state, &step), Ok(vec![state]));
}

#[test]
fn many_exclusive_signals_do_not_explode() {
    let names: Vec<String> = (0..40).map(|index| format!("s{index}")).collect();
    let names = names.join(", ");
    let text = format!("system S synchronous input signal {names} exclusive {names}");
    let system = instance(&text);
    assert_eq!(steps(&system, &start(&system)).len(), 41);
}

const COUNTER: &str = "
system Counter synchronous
var count: 0..9 = 0
input signal up, set(to: 0..9)
output signal level(now: 0..9), top
exclusive up, set
on step when up and count < 9 { count += 1  emit level(count) }
on step when set { count = set.to  emit level(set.to) }
on step when up and count == 9 { emit top }
";

#[test]
fn rules_on_step_read_signals_and_emit_outputs() {
    let counter = instance(COUNTER);
    assert_eq!(steps(&counter, &start(&counter)).len(), 12);
    let after = run(&counter, &["step up / level(1)", "step", "step set(9) / level(9)", "step up / top"]);
    assert_eq!(show_state(counter.model(), &after), ["count = 9"]);
}

#[test]
fn a_relation_that_the_model_breaks_is_its_mistake() {
    let system = instance(
        "system S synchronous input signal a output signal x, y exclusive x, y on step when a { emit x emit y }",
    );
    let found = steps(&system, &start(&system));
    assert_eq!(found, ["step", "M012: `x` and `y` are exclusive, but happen in one step"]);
}

#[test]
fn a_choice_of_the_system_gives_one_successor_per_value() {
    let system = instance("system S var x: Int = 0 input go choose k in 0..2 where k != 1 { x = k }");
    let state = start(&system);
    let go = label(&system, &state, "go");
    let next: Vec<_> =
        system.successors(&state, &go).unwrap().iter().flat_map(|state| show_state(system.model(), state)).collect();
    assert_eq!(next, ["x = 0", "x = 2"]);
}

#[test]
fn results_are_what_ensures_allows_after_the_block() {
    let system = instance(
        "system S var bag: Set<Int> = {1, 2, 3}
         input take() -> Int requires not bag.is_empty ensures result in old(bag) and result != 2 { bag = bag - {result} }
         input size() -> Int ensures result == bag.size {}",
    );
    assert_eq!(steps(&system, &start(&system)), ["take() -> 1", "take() -> 3", "size() -> 3"]);
    let after = run(&system, &["take() -> 3"]);
    assert_eq!(show_state(system.model(), &after), ["bag = {1, 2}"]);
    assert_eq!(steps(&system, &after), ["take() -> 1", "size() -> 2"]);
}

#[test]
fn locations_move_with_exit_and_entry_blocks() {
    let system = instance(
        "system S var log: Seq<String> = []
         input go, stop
         start Idle
         at Idle { entry { log += [\"in idle\"] } exit { log += [\"out of idle\"] } on go { log += [\"go\"] } -> Busy }
         at Busy { on stop -> end }",
    );
    assert_eq!(show_state(system.model(), &start(&system)), ["at Idle", "log = [\"in idle\"]"]);
    let busy = run(&system, &["go"]);
    assert_eq!(
        show_difference(system.model(), &start(&system), &busy),
        ["at Idle -> Busy", "log: [\"in idle\"] -> [\"in idle\", \"go\", \"out of idle\"]"]
    );
    assert!(steps(&system, &run(&system, &["go", "stop"])).is_empty());
}

const TELLER: &str = "
system Teller
enum User { John, Mary }
enum Account { checking, savings, moneymarket }
const valid: Set<Account> = { checking, savings }
var balance: Map<Account, Int> = { a: 0 for a in valid }
input startService, startDeposit, startWithdrawal, startTransfer, quit
input name(user: User), pin(user: User)
input src(account: Account), tgt(account: Account), amt(dollars: Int)
start Welcome
choice Welcome { startService -> Login }
collect Login (name, pin) { check name.user == pin.user  done -> Menu }
choice Menu { startDeposit -> Deposit  startWithdrawal -> Withdrawal  startTransfer -> Transfer  quit -> end }
collect Deposit (tgt, amt) {
    check tgt.account in valid
    check amt.dollars > 0
    done { balance[tgt.account] += amt.dollars } -> Menu
}
collect Withdrawal (src, amt) {
    check src.account in valid
    check amt.dollars > 0
    check amt.dollars <= balance[src.account]
    done { balance[src.account] -= amt.dollars } -> Menu
}
collect Transfer (src, tgt, amt) {
    check src.account in valid
    check tgt.account in valid
    check src.account != tgt.account
    check amt.dollars > 0
    check amt.dollars <= balance.get(src.account, 0)
    done { balance[src.account] -= amt.dollars  balance[tgt.account] += amt.dollars } -> Menu
}
setup strict { domain amt.dollars = { 0, 100 }  overwrites none }
setup loose { domain amt.dollars = { 0, 100 }  overwrites unlimited }
";

#[test]
fn a_collect_node_takes_its_events_in_any_order_and_corrections_if_the_setup_gives_them() {
    let strict = instance(TELLER);
    let state = run(&strict, &["startService", "pin(John)"]);
    assert_eq!(steps(&strict, &state), ["name(John)", "name(Mary)"]);
    let loose = interplay_semantics::Instance::new(model(TELLER), Some(interplay_model::SetupId(1))).unwrap();
    assert_eq!(steps(&loose, &state), ["name(John)", "name(Mary)", "pin(John)", "pin(Mary)"]);
    let menu = run(&loose, &["startService", "pin(John)", "name(Mary)", "pin(Mary)"]);
    assert_eq!(show_difference(loose.model(), &start(&loose), &menu), ["at Welcome -> Menu"]);
}

/// Figures of the reference program `teller.py`: states and transitions by the number of events sent.
#[test]
fn a_teller_has_the_states_of_the_reference_program() {
    let teller = instance(TELLER);
    let counts: Vec<_> = [1, 2, 3, 4, 5, 6, 7, 8, 12].map(|depth| count(&teller, depth)).to_vec();
    let expected = [(2, 1), (6, 5), (9, 13), (13, 17), (31, 35), (64, 101), (90, 163), (126, 199), (382, 703)];
    assert_eq!(counts, expected);
}

#[test]
fn initial_conditions_give_all_their_solutions() {
    let system = instance(
        "system S var x: 0..3 var y: 0..3 var z: Int = x + y var unset: Int
         init x < y
         init z == 3
         input go { x = 0 }",
    );
    let states: Vec<String> =
        system.initial().unwrap().iter().map(|state| show_state(system.model(), state).join(", ")).collect();
    assert_eq!(states, ["x = 0, y = 3, z = 3, unset is unset", "x = 1, y = 2, z = 3, unset is unset"]);
}

#[test]
fn internal_steps_are_closed_over_and_end_in_silence() {
    let system = instance(
        "system S var x: Int = 0
         input go
         internal tau
         output done
         start A
         at A { on go -> B }
         at B { on tau { x = 1 } -> C }
         at C { on done -> A }",
    );
    let go = label(&system, &start(&system), "go");
    let after = system.after(&system.initial().unwrap().into_iter().collect(), &go).unwrap();
    assert_eq!(after.len(), 2);
    assert_eq!(steps(&system, after.first().unwrap()), ["internal tau"]);
    assert!(system.after(&after, &Label::Silence).unwrap().is_empty());
    let initial = system.initial().unwrap().into_iter().collect();
    assert_eq!(system.after(&initial, &Label::Silence).unwrap(), initial);
}

#[test]
fn a_guard_fixes_parameters_and_the_setup_restricts_driven_inputs() {
    let system = instance(
        "system S var x: Int = 5
         input pick(p: Int, q: Int) requires p in {x, x + 1, x + 2} and q == p * 2
         output show(v: Int) requires v == x
         setup small { domain pick.p = { 5, 7, 100 } }",
    );
    let state = start(&system);
    assert_eq!(steps(&system, &state), ["show(5)", "pick(5, 10)", "pick(7, 14)"]);
    let pick = system.model().action_named("pick").unwrap();
    let event = interplay_semantics::Event::new(pick, vec![6.into(), 12.into()]);
    assert!(system.accepts(&state, &[event]).unwrap());
}

#[test]
fn an_internal_action_that_emits_is_seen_by_its_outputs() {
    let system = instance(
        "system S reactive var due: Bool = false input ask { due = true } output answer(n: 1..2)
         internal think requires due choose k in 1..2 { due = false  emit answer(k) }",
    );
    let asked = run(&system, &["ask"]);
    assert_eq!(steps(&system, &asked), ["/ answer(1)", "/ answer(2)", "ask"]);
    assert!(!system.rests(&asked).unwrap());
    assert_eq!(count(&system, 10), (2, 4));
}

#[test]
fn steps_of_all_disciplines_are_judged_as_they_are_driven() {
    assert_eq!(count(&instance(ELEVATOR), 3), (1, 96));
    assert_eq!(count(&instance(COUNTER), 20).0, 10);
    count(&instance(&PHONE.replace("SCREENED", "").replace("exclusive", "// ")), 20);
}

#[test]
fn components_must_agree_on_what_is_returned() {
    let text = |left: &str, right: &str| {
        format!(
            "system S reactive enum Answer {{ yes, no }} input ask() -> Answer
             component A {{ on ask() {{ return {left} }} }}
             component B {{ on ask() {{ return {right} }} }}"
        )
    };
    let agree = instance(&text("yes", "yes"));
    assert_eq!(steps(&agree, &start(&agree)), ["ask() -> yes"]);
    let differ = instance(&text("yes", "no"));
    assert_eq!(steps(&differ, &start(&differ)), ["M006: `A` and `B` return different values: yes and no"]);
}

#[test]
fn silence_is_observed_at_rest_and_along_a_cycle_of_internal_steps() {
    let spin = instance(
        "system Spin\nvar n: 0..1 = 0\ninput ask { n = 1 }\noutput reply requires n == 1 { n = 0 }\ninternal spin { }\n",
    );
    let state = start(&spin);
    assert!(!spin.rests(&state).unwrap() && spin.may_be_silent(&state).unwrap());
    let divergence = spin.diverges(&state).unwrap().unwrap();
    assert!(divergence.way.is_empty());
    assert_eq!(divergence.cycle.len(), 1);
    assert_eq!(divergence.cycle[0].target, state);
}

#[test]
fn a_cycle_may_lie_behind_other_internal_steps_and_a_finite_way_is_none() {
    let text = |loops: &str| {
        format!("system Way\nvar n: 0..3 = 0\ninput ask {{ }}\ninternal on requires n < 3 {{ n += 1 }}\n{loops}")
    };
    let finite = instance(&text(""));
    let state = start(&finite);
    assert_eq!(finite.diverges(&state).unwrap(), None);
    assert!(!finite.may_be_silent(&state).unwrap());
    let endless = instance(&text("internal back requires n == 3 { n = 2 }\n"));
    let divergence = endless.diverges(&start(&endless)).unwrap().unwrap();
    assert_eq!((divergence.way.len(), divergence.cycle.len()), (2, 2));
}

#[test]
fn a_system_rests_where_only_optional_outputs_are_possible() {
    let mail = instance(
        "system Mail\nvar n: 0..2 = 0\ninput send requires n == 0 { n = 1 }\n\
         output receipt requires n == 1 { n = 2 }\nmay output deliver requires n == 2 { n = 0 }\n",
    );
    let take = |state: &State| mail.transitions(state).remove(0).unwrap();
    let sent = take(&start(&mail)).target;
    assert!(!mail.rests(&sent).unwrap(), "a receipt is owed");
    let received = take(&sent).target;
    assert!(mail.rests(&received).unwrap() && mail.may_be_over(&received).unwrap());
    let delivered = take(&received);
    assert!(mail.is_optional(&delivered.label));
    assert_eq!(delivered.target, start(&mail));
}

#[test]
fn first_values_may_depend_on_one_another_and_be_maps() {
    let system = instance(
        "system S enum Key { red, blue } const N: Int = 2 var size: 1..3 in 1..N var left: 0..3 in 0..size var double: Int = 2 * left
        var other: Int in {double, 9} var owner: Map<Key, 0..1> in maps({red, blue}, {0, 1}) input go {}",
    );
    // (1: 0..1, 2: 0..2) are five pairs, each with two others and four maps.
    assert_eq!(system.initial().unwrap().len(), 5 * 2 * 4);
}

#[test]
fn a_parameter_is_fixed_inside_of_options_tuples_and_definitions() {
    let system = instance(
        r#"system S var slot: Option<Int> = some(7) var pair: (Int, String) = (1, "a") var empty: Option<Int> = none
        def is_next(k: Int): Bool = k == pair.0 + 1 and k > 0
        output kept(m: Int) requires slot == some(m) {} output none_there(m: Int) requires some(m) == empty {}
        output both(k: Int, m: String) requires (k, m) == pair {} output next_one(k: Int) requires is_next(k) {}"#,
    );
    assert_eq!(steps(&system, &start(&system)), ["kept(7)", "both(1, \"a\")", "next_one(2)"]);
}
