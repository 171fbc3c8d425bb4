//! A specification of many lines in which everything is used and nothing is wrong: services with their own types,
//! variables, definitions, locations, properties and scenarios. Used to time `check`.

use std::fmt::Write;

/// About so many lines.
pub(crate) fn specification(lines: usize) -> String {
    let mut text = String::from(
        "//! Generated: many small services side by side.\nsystem Large\n\nsetup small {\n    domain Int = 0..2\n    domain String = { \"a\", \"b\" }\n}\n",
    );
    let mut count = 7;
    let mut number = 0;
    while count < lines {
        let service = service(number);
        count += service.lines().count();
        text += &service;
        number += 1;
    }
    text
}

fn service(n: usize) -> String {
    let mut text = String::new();
    write!(
        text,
        r#"
/// Service number {n}.
component Service{n} {{
    enum Phase{n} {{ idle{n}, busy{n}(Int), failed{n}(String, Bool) }}
    record Job{n} {{ owner: String, size: 0..9, urgent: Bool }}
    type Queue{n} = Seq<Job{n}>

    var phase{n}: Phase{n} = idle{n}
    var queue{n}: Queue{n} = []
    var seen{n}: Map<String, Set<Int>> = {{}}
    const limit{n}: Int = 3 + {n} % 2

    def urgent{n}: Int = count(j for j in queue{n} where j.urgent)
    def load{n}(extra: Int): Int = sum(j.size for j in queue{n}) + extra
    def describe{n}(p: Phase{n}): String = match p {{
        idle{n} => "idle",
        busy{n}(k) => if k > 1 then "busy" else "nearly done",
        failed{n}(why, _) => "failed: " + why
    }}

    proc note{n}(who: String, size: Int) {{
        seen{n}[who] = seen{n}.get(who, {{}}) + {{size}}
    }}

    input submit{n}(who: String, size: Int, urgent: Bool)
        requires queue{n}.length < limit{n} and size >= 0
        requires load{n}(size) < 20
    {{
        queue{n} += [Job{n}(owner: who, size: size, urgent: urgent)]
        note{n}(who, size)
        if urgent and urgent{n} > 1 {{
            phase{n} = failed{n}("too urgent", true)
        }} else if phase{n} == idle{n} {{
            phase{n} = busy{n}(queue{n}.length)
        }}
    }}

    output done{n}(who: String)
        requires not queue{n}.is_empty and who == queue{n}.first.owner
        requires for every j in queue{n} where j.urgent: j.size < 9
    {{
        queue{n} = queue{n}.rest
        match phase{n} {{
            busy{n}(k) => {{ phase{n} = if k > 1 then busy{n}(k - 1) else idle{n} }}
            idle{n} => {{}}
            failed{n}(_, again) => {{ assert again or describe{n}(phase{n}) != "idle" }}
        }}
    }}

    input reset{n}
    start Ready{n}
    at Ready{n} {{
        on reset{n} when phase{n} is failed{n}(_, _) -> Resting{n}
    }}
    at Resting{n} {{
        entry {{ phase{n} = idle{n} }}
        on reset{n} when queue{n} == [] and seen{n}.keys.size < 5 {{ seen{n} = {{}} }} -> Ready{n}
    }}
}}

property answered{n}: always (done{n}("a") implies once submit{n}("a", _, _))

scenario submit_and_done{n} {{
    submit{n}("a", 1, false)
    expect urgent{n} == 0 and at Service{n}.Ready{n}
    done{n}("a")
    expect queue{n} == []
}}
"#
    )
    .expect("writing to a string");
    text
}
