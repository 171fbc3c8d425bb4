//! Any log is judged: lines that are none are told, the rest counts, and nothing panics.
#![no_main]

use interplay_workbench::{Monitoring, Watch, open};
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::LazyLock;

static BANK: LazyLock<interplay_workbench::Context> = LazyLock::new(|| {
    let text = "system Bank  enum Kind { cash, card(Int) }\n\
                input deposit(u: String, amount: Int, how: Option<Kind>) { }  output receipt(u: String) { }  input login(u: String) { }\n\
                property logged_in: for every u: String: always (deposit(u, _, _) implies once login(u))\n\
                property soon: for every u: String: always (deposit(u, _, _) implies within 5s receipt(u))\n\
                property few: always (receipt(_) implies previously 3 deposit(_, _, _))";
    open(Path::new("bank.play"), &|_: &Path| Ok(text.as_bytes().to_vec())).unwrap_or_else(|_| panic!("it is right"))
});

fuzz_target!(|text: &str| {
    let request = Monitoring { instances: Some(8), ..Monitoring::default() };
    let Ok(mut watch) = Watch::new(&BANK, &request) else { panic!("it can be watched") };
    let lines = text.split('\n').count();
    for (index, line) in text.split('\n').enumerate() {
        watch.feed(line, index + 1 == lines);
    }
    let saved = watch.save();
    let Ok(mut later) = Watch::new(&BANK, &request) else { panic!("it can be watched") };
    assert!(later.restore(&saved).is_ok());
});
