//! Does a binding fit a specification? It must know its names; what they mean stays unknown here.

use crate::act::{Given, How};
use crate::binding::Binding;
use crate::problem::{Problem, Problems, meant};
use crate::rule::{Rule, Tells};
use std::ops::Range;

/// An input or output of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub name: String,
    pub input: bool,
    pub parameters: Vec<String>,
    /// An input that returns something.
    pub result: bool,
}

/// Names that every template knows.
const OWN: [&str; 9] = ["port", "tmp", "here", "null", "n", "text", "status", "stderr", "headers"];

impl Binding {
    /// The same for this specification; the errors say what does not fit it.
    pub fn fitted(mut self, actions: &[Action]) -> Result<Binding, Vec<Problem>> {
        let misfits = self.misfits(actions);
        if !misfits.is_empty() {
            return Err(misfits);
        }
        let silent = actions.iter().filter(|action| action.input && !action.result);
        self.resultless = silent.map(|action| action.name.clone()).collect();
        Ok(self)
    }

    fn misfits(&self, actions: &[Action]) -> Vec<Problem> {
        let mut problems = Problems::new(&self.source);
        for (name, given) in &self.inputs {
            match actions.iter().find(|action| action.name == *name) {
                Some(action) if action.input => self.input(action, given, &mut problems),
                Some(_) => {
                    let message = format!("`{name}` is an output of the specification");
                    problems.add(&given.span, message, "[[read]] with `output` tells of outputs");
                }
                None => {
                    let inputs = actions.iter().filter(|action| action.input).map(|action| action.name.as_str());
                    let message = format!("the specification has no input `{name}`");
                    problems.add(&given.span, message, meant(name, inputs));
                }
            }
        }
        self.rules.iter().for_each(|rule| self.rule(rule, actions, &mut problems));
        let per: Vec<String> = self.link.iter().flat_map(|link| link.per.clone()).collect();
        for step in self.steps() {
            for template in step.act.iter().flat_map(|act| act.templates()) {
                let mut names = Vec::new();
                template.names(&mut names);
                self.known(&names, &per, "a step", &step.span, &mut problems);
            }
        }
        problems.sorted()
    }

    fn input(&self, action: &Action, given: &Given, problems: &mut Problems<'_>) {
        let name = &action.name;
        for parameter in action.parameters.iter().filter(|parameter| self.vars.contains_key(*parameter)) {
            let message = format!("`{parameter}` is a variable of the binding and a parameter of `{name}`");
            problems.add(&given.span, message, "rename the variable in [vars]");
        }
        if let How::Cases { by, .. } = &given.how
            && !action.parameters.contains(by)
        {
            let help = meant(by, action.parameters.iter().map(String::as_str));
            problems.add(&given.span, format!("`{name}` has no parameter `{by}`"), help);
        }
        let per = self.link.as_ref().and_then(|link| link.per.as_ref());
        let sends = given.acts().iter().any(|act| matches!(act, crate::act::Act::Send(_)));
        if let (Some(per), None, true) = (per, &given.on, sends)
            && !action.parameters.contains(per)
        {
            let help = "name the connection: `on = \"value\"`";
            problems.add(&given.span, format!("`{name}` has no parameter `{per}`, which tells the connection"), help);
        }
        for template in given.acts().iter().flat_map(|act| act.templates()).chain(&given.on) {
            let mut names = Vec::new();
            template.names(&mut names);
            // The values that a case carries are numbered.
            names.retain(|name| name.parse::<usize>().is_err() || !matches!(given.how, How::Cases { .. }));
            self.known(&names, &action.parameters, &format!("input `{name}`"), &given.span, problems);
        }
        let answered = self.rules.iter().any(|rule| rule.answers() && cases(given).any(|case| rule.is_for(name, case)));
        if action.result && !answered && given.answer != Some(false) {
            let help = "add a [[read]] with `answer`, the value that the input returns";
            problems.add(&given.span, format!("`{name}` returns something, but no [[read]] gives its answer"), help);
        }
    }

    fn rule(&self, rule: &Rule, actions: &[Action], problems: &mut Problems<'_>) {
        for name in &rule.inputs {
            let (input, case) = name.split_once('.').map_or((name.as_str(), None), |(name, case)| (name, Some(case)));
            let Some(given) = self.inputs.get(input) else {
                let help = meant(input, self.inputs.keys().map(String::as_str));
                problems.add(&rule.span, format!("`for` names `{input}`, which [input] does not give"), help);
                continue;
            };
            if let (Some(case), false) = (case, cases(given).any(|own| own == case)) {
                let help = meant(case, cases(given).flatten());
                problems.add(&rule.span, format!("`{input}` has no case `{case}`"), help);
            }
        }
        let mut known: Vec<String> = rule.groups().collect();
        let asked =
            |name: &str| rule.inputs.is_empty() || rule.inputs.iter().any(|own| own.split('.').next() == Some(name));
        let inputs = actions.iter().filter(|action| action.input && asked(&action.name));
        known.extend(inputs.flat_map(|action| action.parameters.iter().cloned()));
        known.extend(self.link.iter().flat_map(|link| link.per.clone()));
        for template in rule.templates() {
            let mut names = Vec::new();
            template.names(&mut names);
            self.known(&names, &known, "[[read]]", &rule.span, problems);
        }
        let Tells::Output { name, args } = &rule.tells else { return };
        let Some(action) = actions.iter().find(|action| !action.input && action.name == *name) else {
            let outputs = actions.iter().filter(|action| !action.input).map(|action| action.name.as_str());
            problems.add(&rule.span, format!("the specification has no output `{name}`"), meant(name, outputs));
            return;
        };
        for (arg, _) in args.iter().filter(|(arg, _)| !action.parameters.contains(arg)) {
            let help = meant(arg, action.parameters.iter().map(String::as_str));
            problems.add(&rule.span, format!("`{name}` has no parameter `{arg}`"), help);
        }
        for parameter in action.parameters.iter().filter(|own| !args.iter().any(|(arg, _)| arg == *own)) {
            let help = format!("write `args = {{ {parameter} = ... }}`");
            problems.add(&rule.span, format!("`{name}` lacks its argument `{parameter}`"), help);
        }
    }

    fn known(&self, names: &[String], own: &[String], what: &str, span: &Range<usize>, problems: &mut Problems<'_>) {
        let captured = self.rules.iter().flat_map(|rule| &rule.capture).map(|capture| &capture.name);
        let files = self.system.iter().flat_map(|system| &system.files).map(|(name, _)| name);
        let all: Vec<&str> =
            own.iter().chain(self.vars.keys()).chain(captured).chain(files).map(String::as_str).chain(OWN).collect();
        for name in names.iter().filter(|name| !all.contains(&name.as_str())) {
            let message = format!("{what}: nothing here is called `{name}`");
            problems.add(span, message, meant(name, all.iter().copied()));
        }
    }
}

/// The cases that an input is given in; none is one, too.
fn cases(given: &Given) -> impl Iterator<Item = Option<&str>> {
    let cases = match &given.how {
        How::Cases { cases, .. } => Some(cases.keys().map(|case| Some(case.as_str()))),
        How::Act(_) => None,
    };
    let none = cases.is_none().then_some(None);
    cases.into_iter().flatten().chain(none)
}
