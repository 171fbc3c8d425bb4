//! The formatter: how things look, and the laws that it keeps.

use crate::common::{messages, mutilated, samples, soup, tree};
use expect_test::{Expect, expect};
use interplay_syntax::{TokenKind, format, lex};
use proptest::prelude::*;

fn check(text: &str, expected: Expect) {
    check_laws(text);
    expected.assert_eq(&format(text));
}

fn check_laws(text: &str) {
    let formatted = format(text);
    assert_eq!(tokens(&formatted), tokens(text), "the tokens stay the same");
    assert_eq!(format(&formatted), formatted, "formatting twice is formatting once:\n{formatted}");
    if messages(text).is_empty() {
        assert_eq!(tree(&formatted), tree(text), "the meaning stays the same");
    }
}

fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
    let counting = lex(text).into_iter().filter(|token| token.kind != TokenKind::Space);
    counting.map(|token| (token.kind, token.text(text).trim_end())).collect()
}

#[test]
fn the_laws_hold_for_every_sample() {
    for (name, text) in samples() {
        println!("{name}");
        check_laws(&text);
    }
}

#[test]
fn a_formatted_sample_stays_as_it_is() {
    for name in ["elevator.play", "everything.play"] {
        let text =
            samples().into_iter().find(|(path, _)| path.ends_with(&format!("data/{name}"))).expect("it is there").1;
        expect_test::expect_file![format!("./data/{name}")].assert_eq(&format(&text));
    }
}

#[test]
fn spaces_between_tokens() {
    check(
        "var  x:Map<Int,Set< Bool >>={}\nvar y:0 .. 7=- 1\ndef f( a:Int ,b : Int )=m [ a ]+- b*( a-b ).c . d\ndef g={ a:1,b :2 }+{u}+{ u}+{}\ndef h=f (1)and not(a)or old (x)==some ( 3 )\non dial( u,= peer[u] )->end\ndef i=a.or( 3 )<b\ncollect Login (a,b){check (a)   done->B}\n",
        expect![[r#"
            var x: Map<Int, Set<Bool>>= {}
            var y: 0..7 = -1
            def f(a: Int, b: Int) = m[a] + -b * (a - b).c.d
            def g = { a: 1, b: 2 } + {u} + { u } + {}
            def h = f(1) and not (a) or old(x) == some(3)
            on dial(u, =peer[u]) -> end
            def i = a.or(3) < b
            collect Login (a, b) { check (a)  done -> B }
        "#]],
    );
}

#[test]
fn every_declaration_begins_a_line() {
    check(
        "system Door var open: Bool = false input push requires not open { open = true } component A { var n: Int = 0 start On at On { on push { n = 1 } } } // end\n",
        expect![[r#"
            system Door
            var open: Bool = false
            input push requires not open { open = true }
            component A {
                var n: Int = 0
                start On
                at On { on push { n = 1 } }
            }  // end
        "#]],
    );
}

/// White space between tokens says nothing about where declarations begin.
#[test]
fn a_sample_on_one_line_is_taken_apart_again() {
    for (name, text) in samples() {
        let comments = lex(&text).iter().any(|token| token.kind.is_comment());
        if comments || !messages(&text).is_empty() {
            continue;
        }
        println!("{name}");
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if messages(&joined).is_empty() {
            check_laws(&joined);
        }
    }
}

#[test]
fn words_that_are_names_here_are_set_like_names() {
    check(
        "system S\nvar at:Int=0\nvar until : Int=0\nrecord R { old:Int,result : Int}\ninput go(new:Int)requires at<until and new==at {at=new until+=1}\ninput back { until=at+1 }\n",
        expect![[r#"
            system S
            var at: Int = 0
            var until: Int = 0
            record R { old: Int, result: Int }
            input go(new: Int) requires at < until and new == at { at = new until += 1 }
            input back { until = at + 1 }
        "#]],
    );
}

#[test]
fn statements_on_one_line_stay_apart() {
    check(
        "on a { x = 1  y  =  2    emit  z z = 3 }\n",
        expect![[r#"
        on a { x = 1  y = 2  emit z z = 3 }
    "#]],
    );
}

#[test]
fn brackets_and_continuations() {
    check(
        "input enter(c: Client)\nrequires c not in members\nand c in known\nensures true\n{\nfor d in s\nwhere d != c {\nx = f(\na,\nb\n)\ny = a\n+ b +\nc\n}\nif a {\n} else {\nmatch x {\nnone => {\nx = 1\n}\nsome(y) => {}\n}\n}\n}\noutput a,\nb\nproperty p:\nalways (a\nimplies b)\nand c\ndef d =\nif a\nthen b\nelse c\ndef t = {\na: 1,\nb:\n2,\n}\nvar s: Set<Int>\nvar t: Int\n",
        expect![[r#"
            input enter(c: Client)
                requires c not in members
                    and c in known
                ensures true
            {
                for d in s
                    where d != c {
                    x = f(
                        a,
                        b
                    )
                    y = a
                        + b +
                        c
                }
                if a {
                } else {
                    match x {
                        none => {
                            x = 1
                        }
                        some(y) => {}
                    }
                }
            }
            output a,
                b
            property p:
                always (a
                    implies b)
                    and c
            def d =
                if a
                then b
                else c
            def t = {
                a: 1,
                b:
                    2,
            }
            var s: Set<Int>
            var t: Int
        "#]],
    );
}

#[test]
fn blank_lines_and_line_ends() {
    check(
        "\n\nsystem S\r\n\r\n\r\n\r\ncomponent A {\n\n  var x: Int = 0  \n\n\n}\n// end\n\n\n",
        expect![[r#"
        system S

        component A {
            var x: Int = 0
        }
        // end
    "#]],
    );
    check("", expect![""]);
    check("\n \n", expect![""]);
}

#[test]
fn comments() {
    check(
        "var x: Int = 0 // one\nvar long: Int = 0 // two\n\nvar y: Int = 0    // three\ncomponent A {\n// about x\nvar x: Int = 0\n// last\n}\nproperty p: // why\n// because\na\n",
        expect![[r#"
            var x: Int = 0     // one
            var long: Int = 0  // two

            var y: Int = 0  // three
            component A {
                // about x
                var x: Int = 0
                // last
            }
            property p:  // why
                // because
                a
        "#]],
    );
}

#[test]
fn lines_with_mistakes_are_left_alone() {
    check(
        "var   x:Int=0\nvar   y:Int = = 1\n  var   z:Int=0\ndef  a = @  b\ndef  b = \"open  \nvar   w:Int=0\n",
        expect![[r#"
            var x: Int = 0
            var   y:Int = = 1
            var z: Int = 0
            def  a = @  b
            def  b = "open
            var w: Int = 0
        "#]],
    );
}

proptest! {
    #[test]
    fn the_laws_hold_for_token_soup(text in soup()) {
        check_laws(&text);
    }

    #[test]
    fn the_laws_hold_for_any_text(text in any::<String>()) {
        check_laws(&text);
    }

    #[test]
    fn the_laws_hold_for_mutilated_samples(text in mutilated()) {
        check_laws(&text);
    }
}
