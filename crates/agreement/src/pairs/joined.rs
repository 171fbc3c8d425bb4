//! The product of two specifications that share nothing but inputs takes exactly the inputs that both take, and it is a
//! specification; or it is refused with a reason.

use crate::subject::{Subject, opened, refusal};
use crate::tally::Tally;
use interplay_model::Discipline;
use interplay_workbench::change;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    if subject.context.model.discipline != Discipline::Asynchronous {
        return;
    }
    let command = "interplay product FILE OTHER";
    let other = interplay_testkit::generate_whole(subject.seed ^ 0x5555);
    for (text, own) in [(other.as_str(), false), (subject.text.as_str(), true)] {
        let Some(with) = opened(text) else { continue };
        subject.clock.asks(command);
        match change(&subject.context, Some(&with), &[]) {
            Err(why) => tally.refused(refusal(&why)),
            Ok(changed) => match opened(&changed.text) {
                Some(_) => tally.agree(),
                None => {
                    let told = if own { "OTHER is FILE".to_string() } else { format!("OTHER is\n{text}") };
                    let said = format!("{told}\nand the result\n{}", changed.text);
                    tally.disagree(
                        "the result is no specification",
                        (command, said),
                        ("interplay check RESULT", "errors"),
                    );
                }
            },
        }
    }
}
