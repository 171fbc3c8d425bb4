//! `cargo run -p xtask -- agree`: compares all who answer the same question, on generated specifications, and tells who
//! contradicts whom. Exit code 0: nobody; 1: somebody; 2: a mistake in the command.

use interplay_agreement::{Event, PAIRS, Plan, note_panics, run};
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: xtask agree [--seeds N] [--minutes M] [--only PAIR] [--seed S] [--from K] [--threads N]
                   [--no-shrink] [--print] [--file FILE] [--keep FOLDER] [--list]

  --seeds N      so many specifications (100)
  --minutes M    stop after this time
  --only PAIR    only pairs whose names begin so, several with commas between; --list shows them
  --seed S       this specification alone
  --from K       the first seed (0)
  --threads N    so many at a time (as many as there are cores)
  --no-shrink    do not make smaller what disagrees
  --print        print the specification of --seed and do nothing else
  --file FILE    a specification that was written by somebody, instead of generated ones
  --keep FOLDER  write what disagrees to files there";

struct Options {
    plan: Plan,
    print: bool,
    list: bool,
    keep: Option<String>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let options = match options(&args) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if options.list {
        PAIRS.iter().for_each(|pair| println!("{:<18} {}", pair.name, pair.about));
        return ExitCode::SUCCESS;
    }
    if options.print {
        print!("{}", interplay_testkit::generate_any(options.plan.from));
        return ExitCode::SUCCESS;
    }
    note_panics();
    let keep = options.keep.clone();
    let tell = |event: Event<'_>| match event {
        Event::Done(count) if count % 50 == 0 => eprintln!("{count} specifications"),
        Event::Done(_) => {}
        Event::Disagree(found) => eprintln!("{}: {} (seed {})", found.pair, found.disagreement.what, found.seed),
        Event::Shrunk(found) => {
            println!("{found}\n");
            let _ = std::io::stdout().flush();
            if let Some(folder) = &keep {
                let _ = std::fs::write(format!("{folder}/{}-{}.play", found.pair, found.seed), format!("{found}\n"));
            }
        }
    };
    let summary = run(&options.plan, &tell);
    println!("{summary}");
    let right = summary.disagreements.is_empty() && summary.malformed.is_empty();
    ExitCode::from(u8::from(!right))
}

fn options(args: &[String]) -> Result<Options, String> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut options = Options { plan: Plan { threads, ..Plan::default() }, print: false, list: false, keep: None };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or_else(|| format!("{arg} wants a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("`{text}` is no number"));
        let plan = &mut options.plan;
        match arg.as_str() {
            "--seeds" => plan.seeds = number(value()?)?,
            "--minutes" => plan.time = Some(Duration::from_secs(60 * number(value()?)?)),
            "--only" => plan.only = Some(value()?),
            "--seed" => (plan.from, plan.seeds, plan.threads) = (number(value()?)?, 1, 1),
            "--from" => plan.from = number(value()?)?,
            "--threads" => plan.threads = usize::try_from(number(value()?)?).unwrap_or(1),
            "--shrink" => plan.shrink = true,
            "--no-shrink" => plan.shrink = false,
            "--print" => options.print = true,
            "--list" => options.list = true,
            "--keep" => options.keep = Some(value()?),
            "--file" => {
                let path = value()?;
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
                (plan.text, plan.seeds, plan.threads) = (Some(text), 1, 1);
            }
            other => return Err(format!("`{other}` is unknown")),
        }
    }
    match &options.plan.only {
        Some(only) => match only.split(',').find(|only| !PAIRS.iter().any(|pair| pair.name.starts_with(*only))) {
            Some(unknown) => Err(format!("there is no pair `{unknown}`; --list shows them")),
            None => Ok(options),
        },
        None => Ok(options),
    }
}
