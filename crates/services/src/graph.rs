//! A service built in Rust: the same graph of `choice` and `collect` nodes as in the language, with arbitrary Rust predicates and
//! actions over data of a type of one's own. A [`crate::Session`] runs it.
//!
//! ```
//! use interplay_services::{Config, Driving, Graph, END, search};
//! let mut graph = Graph::new(|| 0u32);
//! let (order, cancel) = (graph.signal("order"), graph.signal("cancel"));
//! let (size, count) = (graph.input("size", [1, 2]), graph.input("count", [0, 3]));
//! let menu = graph.choice("Menu");
//! let form = graph.collect("Form", &[size, count]);
//! graph.start(menu);
//! graph.on(menu, order).goto(form);
//! graph.on(menu, cancel).goto(END);
//! graph.check(form, &[count], move |_, got| got[count] > 0);
//! graph.done(form).run(move |sold, got| *sold += got[size] * got[count]).goto(menu);
//!
//! let outcome = search(&|| Ok(graph.session()), &Config { depth: 4, ..Config::default() });
//! assert!(outcome.findings.is_empty());
//! assert_eq!(outcome.statistics.paths, 5); // cancel at once; or one of two sizes, and then order or cancel
//! ```

use crate::service::LabelId;
use std::ops::Index;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// Where nothing happens any more. Every graph has it.
pub const END: NodeId = NodeId(0);

pub(crate) type Condition<D, V> = Arc<dyn Fn(&D, &Got<V>) -> bool + Send + Sync>;
type ShowData<D> = Arc<dyn Fn(&D) -> Vec<String> + Send + Sync>;
pub(crate) type Read<V> = Arc<dyn Fn(&str) -> Result<V, String> + Send + Sync>;
type NameData<D> = Arc<dyn Fn(&D) -> String + Send + Sync>;
pub(crate) type Action<D, V> = Arc<dyn Fn(&mut D, &Got<V>) + Send + Sync>;

/// A service with data `D`, whose inputs carry values `V`.
pub struct Graph<D, V> {
    pub(crate) labels: Vec<Label<V>>,
    pub(crate) nodes: Vec<Node<D, V>>,
    pub(crate) start: NodeId,
    pub(crate) make: Arc<dyn Fn() -> D + Send + Sync>,
    /// Two data with the same name have the same future.
    pub(crate) name_data: Option<NameData<D>>,
    pub(crate) name: String,
    /// What an interface shows of the data.
    pub(crate) shown: Option<ShowData<D>>,
}

pub(crate) struct Label<V> {
    pub(crate) name: String,
    /// What it may carry when the service is tested; nothing for a signal.
    pub(crate) values: Vec<V>,
    /// The number of its first event.
    pub(crate) first: u32,
    /// Other values than those, as people write them.
    pub(crate) read: Option<Read<V>>,
}

pub(crate) struct Node<D, V> {
    pub(crate) name: String,
    pub(crate) kind: Kind<D, V>,
    pub(crate) entry: Vec<Action<D, V>>,
    pub(crate) exit: Vec<Action<D, V>>,
}

pub(crate) enum Kind<D, V> {
    End,
    Choice(Vec<Edge<D, V>>),
    Collect {
        slots: Vec<LabelId>,
        checks: Vec<Check<D, V>>,
        done: Vec<Done<D, V>>,
    },
    /// Goes on at once.
    Test {
        condition: Condition<D, V>,
        yes: NodeId,
        no: NodeId,
    },
}

/// One event of a choice. Without `goto` it leads to the end.
pub struct Edge<D, V> {
    pub(crate) label: LabelId,
    pub(crate) when: Option<Condition<D, V>>,
    pub(crate) action: Option<Action<D, V>>,
    pub(crate) target: NodeId,
}

/// One check of a `collect` node. Without `otherwise` a violation leaves the service where it is, waiting for a correction.
pub struct Check<D, V> {
    /// Bit `i`: it needs slot `i`.
    pub(crate) signature: u64,
    pub(crate) condition: Condition<D, V>,
    pub(crate) target: Option<NodeId>,
    /// What a user is told when it is violated.
    pub(crate) says: String,
}

/// What happens when everything was received and nothing is violated. Without `goto` it leads to the end.
pub struct Done<D, V> {
    pub(crate) when: Option<Condition<D, V>>,
    pub(crate) action: Option<Action<D, V>>,
    pub(crate) target: NodeId,
}

/// What was received: `got[amount]` is the value of the input `amount`.
pub struct Got<'g, V> {
    pub(crate) labels: &'g [Label<V>],
    pub(crate) slots: &'g [LabelId],
    /// By slot, the number of the value plus one; zero for nothing.
    pub(crate) filled: &'g [u32],
    /// Values that people said; they are numbered after those of the label.
    pub(crate) heard: &'g [V],
}

impl<V> Got<'_, V> {
    /// The value, if it was received and the input carries one.
    pub fn get(&self, label: LabelId) -> Option<&V> {
        let slot = self.slots.iter().position(|slot| *slot == label)?;
        let value = (*self.filled.get(slot)? as usize).checked_sub(1)?;
        let known = &self.labels[label.0 as usize];
        known.values.get(value).or_else(|| self.heard.get(value.checked_sub(known.events() as usize)?))
    }
}

impl<V> Index<LabelId> for Got<'_, V> {
    type Output = V;

    /// Panics if it was not received; a check is only asked when the inputs that it names are there.
    fn index(&self, label: LabelId) -> &V {
        self.get(label).unwrap_or_else(|| panic!("`{}` was not received here", self.labels[label.0 as usize].name))
    }
}

impl<D, V> Graph<D, V> {
    /// `make` gives the data with which each conversation begins.
    pub fn new(make: impl Fn() -> D + Send + Sync + 'static) -> Graph<D, V> {
        let end = Node { name: "end".into(), kind: Kind::End, entry: Vec::new(), exit: Vec::new() };
        Graph {
            labels: Vec::new(),
            nodes: vec![end],
            start: END,
            make: Arc::new(make),
            name_data: None,
            name: "service".into(),
            shown: None,
        }
    }

    /// An input that carries nothing.
    pub fn signal(&mut self, name: &str) -> LabelId {
        self.input(name, [])
    }

    /// An input with the values that a test may give it.
    pub fn input(&mut self, name: &str, values: impl IntoIterator<Item = V>) -> LabelId {
        let first = self.labels.last().map_or(0, |last| last.first + last.events());
        self.labels.push(Label { name: name.into(), values: values.into_iter().collect(), first, read: None });
        LabelId(self.labels.len() as u32 - 1)
    }

    /// Lets people give this input other values than those of a test, and says how they are read from a text.
    pub fn reads(&mut self, label: LabelId, read: impl Fn(&str) -> Result<V, String> + Send + Sync + 'static) {
        self.labels[label.0 as usize].read = Some(Arc::new(read));
    }

    /// What interfaces call the service.
    pub fn named(&mut self, name: &str) {
        self.name = name.into();
    }

    /// What interfaces show of the data, line by line.
    pub fn shows(&mut self, lines: impl Fn(&D) -> Vec<String> + Send + Sync + 'static) {
        self.shown = Some(Arc::new(lines));
    }

    /// A node that waits for one event.
    pub fn choice(&mut self, name: &str) -> NodeId {
        self.node(name, Kind::Choice(Vec::new()))
    }

    /// A node that waits for all of these events, in any order. At most 64.
    pub fn collect(&mut self, name: &str, labels: &[LabelId]) -> NodeId {
        assert!(labels.len() <= 64, "a node waits for at most 64 events");
        self.node(name, Kind::Collect { slots: labels.to_vec(), checks: Vec::new(), done: Vec::new() })
    }

    fn node(&mut self, name: &str, kind: Kind<D, V>) -> NodeId {
        self.nodes.push(Node { name: name.into(), kind, entry: Vec::new(), exit: Vec::new() });
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub fn start(&mut self, node: NodeId) {
        self.start = node;
    }

    /// One more event for a choice.
    pub fn on(&mut self, choice: NodeId, label: LabelId) -> &mut Edge<D, V> {
        let Kind::Choice(edges) = &mut self.nodes[choice.0 as usize].kind else {
            panic!("`on` needs a choice");
        };
        edges.push(Edge { label, when: None, action: None, target: END });
        edges.last_mut().expect("just added")
    }

    /// One more check, judged after those before it as soon as these labels are there.
    pub fn check(
        &mut self,
        collect: NodeId,
        labels: &[LabelId],
        condition: impl Fn(&D, &Got<V>) -> bool + Send + Sync + 'static,
    ) -> &mut Check<D, V> {
        let Kind::Collect { slots, checks, .. } = &mut self.nodes[collect.0 as usize].kind else {
            panic!("`check` needs a collect node");
        };
        let slot =
            |label: &LabelId| slots.iter().position(|slot| slot == label).expect("the node waits for this label");
        let signature = labels.iter().map(slot).fold(0, |mask, slot| mask | 1 << slot);
        checks.push(Check { signature, condition: Arc::new(condition), target: None, says: String::new() });
        checks.last_mut().expect("just added")
    }

    /// One more way on, asked after those before it.
    pub fn done(&mut self, collect: NodeId) -> &mut Done<D, V> {
        let Kind::Collect { done, .. } = &mut self.nodes[collect.0 as usize].kind else {
            panic!("`done` needs a collect node");
        };
        done.push(Done { when: None, action: None, target: END });
        done.last_mut().expect("just added")
    }

    /// Done whenever the node is entered.
    pub fn entry(&mut self, node: NodeId, action: impl Fn(&mut D, &Got<V>) + Send + Sync + 'static) {
        self.nodes[node.0 as usize].entry.push(Arc::new(action));
    }

    /// Done whenever the node is left, after the action of the edge.
    pub fn exit(&mut self, node: NodeId, action: impl Fn(&mut D, &Got<V>) + Send + Sync + 'static) {
        self.nodes[node.0 as usize].exit.push(Arc::new(action));
    }

    /// Lets states be told apart and matched: the same text must mean the same future.
    pub fn snapshots(&mut self, name: impl Fn(&D) -> String + Send + Sync + 'static) {
        self.name_data = Some(Arc::new(name));
    }

    pub fn label_named(&self, name: &str) -> Option<LabelId> {
        self.labels.iter().position(|label| label.name == name).map(|index| LabelId(index as u32))
    }
}

impl<D: 'static, V: 'static> Graph<D, V> {
    /// `P1; P2`: where this service ends, the other begins. Labels of the same name are the same label, with the values of the
    /// first; the other's data are not used.
    pub fn then(mut self, other: Graph<D, V>) -> Graph<D, V> {
        let (nodes, labels) = (self.nodes.len() as u32, self.labels.len());
        let mut renamed = Vec::new();
        for label in other.labels {
            renamed.push(self.label_named(&label.name).unwrap_or_else(|| self.input(&label.name, label.values)));
        }
        assert!(
            renamed.iter().enumerate().all(|(old, new)| new.0 as usize == old) || labels == 0,
            "declare the labels of both services in the same order: their predicates know them by number"
        );
        // The end of the other is the end of both; its other nodes come after ours.
        let moved = |node: NodeId| if node == END { END } else { NodeId(node.0 + nodes - 1) };
        let next = moved(other.start);
        self.retarget(|target| if target == END { next } else { target });
        self.start = if self.start == END { next } else { self.start };
        let mut others: Vec<Node<D, V>> = other.nodes.into_iter().skip(1).collect();
        others.iter_mut().for_each(|node| node.retarget(&moved));
        self.nodes.extend(others);
        self
    }

    /// Where this service ends, it begins again as long as the condition holds.
    pub fn repeat_while(mut self, condition: impl Fn(&D) -> bool + Send + Sync + 'static) -> Graph<D, V> {
        let test = NodeId(self.nodes.len() as u32);
        self.retarget(|target| if target == END { test } else { target });
        let condition = Arc::new(move |data: &D, _: &Got<V>| condition(data));
        self.node("again?", Kind::Test { condition, yes: self.start, no: END });
        self
    }

    fn retarget(&mut self, moved: impl Fn(NodeId) -> NodeId) {
        self.nodes.iter_mut().for_each(|node| node.retarget(&moved));
    }
}

impl<D, V> Node<D, V> {
    fn retarget(&mut self, moved: &impl Fn(NodeId) -> NodeId) {
        match &mut self.kind {
            Kind::End => {}
            Kind::Choice(edges) => edges.iter_mut().for_each(|edge| edge.target = moved(edge.target)),
            Kind::Collect { checks, done, .. } => {
                checks.iter_mut().for_each(|check| check.target = check.target.map(moved));
                done.iter_mut().for_each(|done| done.target = moved(done.target));
            }
            Kind::Test { yes, no, .. } => (*yes, *no) = (moved(*yes), moved(*no)),
        }
    }
}

impl<V> Label<V> {
    pub(crate) fn events(&self) -> u32 {
        self.values.len().max(1) as u32
    }
}

impl<D, V> Edge<D, V> {
    /// A precondition.
    pub fn when(&mut self, condition: impl Fn(&D, &Got<V>) -> bool + Send + Sync + 'static) -> &mut Self {
        self.when = Some(Arc::new(condition));
        self
    }

    pub fn run(&mut self, action: impl Fn(&mut D, &Got<V>) + Send + Sync + 'static) -> &mut Self {
        self.action = Some(Arc::new(action));
        self
    }

    pub fn goto(&mut self, target: NodeId) -> &mut Self {
        self.target = target;
        self
    }
}

impl<D, V> Check<D, V> {
    /// What a user is told when it is violated.
    pub fn says(&mut self, text: &str) -> &mut Self {
        self.says = text.into();
        self
    }

    /// Where a violation leads. Going back to an earlier node is backtracking.
    pub fn otherwise(&mut self, target: NodeId) -> &mut Self {
        self.target = Some(target);
        self
    }
}

impl<D, V> Done<D, V> {
    pub fn when(&mut self, condition: impl Fn(&D, &Got<V>) -> bool + Send + Sync + 'static) -> &mut Self {
        self.when = Some(Arc::new(condition));
        self
    }

    pub fn run(&mut self, action: impl Fn(&mut D, &Got<V>) + Send + Sync + 'static) -> &mut Self {
        self.action = Some(Arc::new(action));
        self
    }

    pub fn goto(&mut self, target: NodeId) -> &mut Self {
        self.target = target;
        self
    }
}
