//! Every format, of the same findings.

use expect_test::{Expect, expect};
use interplay_answers::Findings;
use interplay_diagnostics::{Code, Diagnostic, Sources, Span};
use interplay_report::{Colour, sarif, summary, text};

/// A file with a misspelt type, a variable that is declared twice, and an import that is not there.
fn with_findings<T>(tell: impl Fn(&Findings<'_>) -> T) -> T {
    let mut sources = Sources::default();
    let text = "system Door\nvar open: Bol = false\nvar lock: Bool = true\nvar lock: Int = 3\n";
    let file = sources.add("door.play", text);
    let lock = text.rfind("lock").expect("it is there");
    let second = Span::new(file, lock..lock + 4);
    let diagnostics = [
        Diagnostic::about_file(Code::F001, "key.play", "cannot read `key.play`: there is no such file"),
        Diagnostic::new(Code::N004, sources.span_of(file, "Bol"), "there is no type `Bol`")
            .help("did you mean `Bool`?"),
        Diagnostic::new(Code::N002, second, "`lock` is declared twice")
            .label("again here")
            .note(sources.span_of(file, "lock"), "first declared here"),
        Diagnostic::new(Code::W001, sources.span_of(file, "open"), "`open` is never used"),
    ];
    tell(&Findings::new(&sources, &diagnostics))
}

/// What `check --json` prints.
fn json(findings: &Findings<'_>) -> serde_json::Value {
    serde_json::to_value(findings.document()).expect("a document is JSON")
}

fn shows(shown: String, expected: Expect) {
    expected.assert_eq(&shown);
}

#[test]
fn as_text() {
    shows(
        with_findings(|findings| text(findings, Colour::Never)),
        expect![[r#"
        error[F001]: cannot read `key.play`: there is no such file
        --> key.play

        error[N004]: there is no type `Bol`
         --> door.play:2:11
          |
        2 | var open: Bol = false
          |           ^^^
          |
          = help: did you mean `Bool`?

        error[N002]: `lock` is declared twice
         --> door.play:4:5
          |
        3 | var lock: Bool = true
          |     ---- first declared here
        4 | var lock: Int = 3
          |     ^^^^ again here

        warning[W001]: `open` is never used
         --> door.play:2:5
          |
        2 | var open: Bol = false
          |     ^^^^

        3 errors, 1 warning in 2 files
    "#]],
    );
}

#[test]
fn as_json() {
    shows(
        with_findings(|findings| format!("{:#}", json(findings))),
        expect![[r#"
        {
          "schema": 1,
          "diagnostics": [
            {
              "code": "F001",
              "severity": "error",
              "message": "cannot read `key.play`: there is no such file",
              "file": "key.play",
              "range": null,
              "help": null,
              "notes": []
            },
            {
              "code": "N004",
              "severity": "error",
              "message": "there is no type `Bol`",
              "file": "door.play",
              "range": {
                "start": {
                  "line": 2,
                  "column": 11
                },
                "end": {
                  "line": 2,
                  "column": 14
                }
              },
              "help": "did you mean `Bool`?",
              "notes": []
            },
            {
              "code": "N002",
              "severity": "error",
              "message": "`lock` is declared twice",
              "file": "door.play",
              "range": {
                "start": {
                  "line": 4,
                  "column": 5
                },
                "end": {
                  "line": 4,
                  "column": 9
                }
              },
              "help": null,
              "notes": [
                {
                  "message": "again here",
                  "file": "door.play",
                  "range": {
                    "start": {
                      "line": 4,
                      "column": 5
                    },
                    "end": {
                      "line": 4,
                      "column": 9
                    }
                  }
                },
                {
                  "message": "first declared here",
                  "file": "door.play",
                  "range": {
                    "start": {
                      "line": 3,
                      "column": 5
                    },
                    "end": {
                      "line": 3,
                      "column": 9
                    }
                  }
                }
              ]
            },
            {
              "code": "W001",
              "severity": "warning",
              "message": "`open` is never used",
              "file": "door.play",
              "range": {
                "start": {
                  "line": 2,
                  "column": 5
                },
                "end": {
                  "line": 2,
                  "column": 9
                }
              },
              "help": null,
              "notes": []
            }
          ],
          "checked": [
            "door.play"
          ]
        }"#]],
    );
}

#[test]
fn as_sarif() {
    let results = with_findings(|findings| {
        let mut log = sarif(findings);
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules").len(), Code::ALL.len());
        format!("{:#}", log["runs"][0]["results"].take())
    });
    shows(
        results,
        expect![[r#"
            [
              {
                "ruleId": "F001",
                "ruleIndex": 0,
                "level": "error",
                "message": {
                  "text": "cannot read `key.play`: there is no such file"
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "key.play"
                      }
                    }
                  }
                ],
                "relatedLocations": []
              },
              {
                "ruleId": "N004",
                "ruleIndex": 14,
                "level": "error",
                "message": {
                  "text": "there is no type `Bol`\nhelp: did you mean `Bool`?"
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "door.play"
                      },
                      "region": {
                        "startLine": 2,
                        "startColumn": 11,
                        "endLine": 2,
                        "endColumn": 14
                      }
                    }
                  }
                ],
                "relatedLocations": []
              },
              {
                "ruleId": "N002",
                "ruleIndex": 12,
                "level": "error",
                "message": {
                  "text": "`lock` is declared twice"
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "door.play"
                      },
                      "region": {
                        "startLine": 4,
                        "startColumn": 5,
                        "endLine": 4,
                        "endColumn": 9
                      }
                    }
                  }
                ],
                "relatedLocations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "door.play"
                      },
                      "region": {
                        "startLine": 3,
                        "startColumn": 5,
                        "endLine": 3,
                        "endColumn": 9
                      }
                    },
                    "id": 0,
                    "message": {
                      "text": "first declared here"
                    }
                  }
                ]
              },
              {
                "ruleId": "W001",
                "ruleIndex": 37,
                "level": "warning",
                "message": {
                  "text": "`open` is never used"
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "door.play"
                      },
                      "region": {
                        "startLine": 2,
                        "startColumn": 5,
                        "endLine": 2,
                        "endColumn": 9
                      }
                    }
                  }
                ],
                "relatedLocations": []
              }
            ]"#]],
    );
}

#[test]
fn the_summary_counts() {
    let mut sources = Sources::default();
    let file = sources.add("chat.play", "system Chat");
    let clean = Findings::new(&sources, &[]);
    assert_eq!(summary(&clean), "checked chat.play: no problems");
    let unused = |at: usize| Diagnostic::new(Code::W001, Span::new(file, at..at + 1), "never used");
    let two = [unused(0), unused(1)];
    assert_eq!(summary(&Findings::new(&sources, &two)), "2 warnings in chat.play");
    sources.add("lib.play", "");
    assert_eq!(summary(&Findings::new(&sources, &[])), "checked 2 files: no problems");
}

#[test]
fn a_text_cannot_command_the_terminal() {
    let mut sources = Sources::default();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}31m";
    let file = sources.add(format!("{evil}.play"), format!("system {evil} x"));
    let wrong = Diagnostic::new(Code::P003, sources.span_of(file, evil), format!("`{evil}` means nothing"))
        .label(evil)
        .help(evil);
    let shown = text(&Findings::new(&sources, &[wrong]), Colour::Never);
    assert!(!shown.chars().any(|character| character.is_control() && character != '\n'), "{shown:?}");
}

#[test]
fn an_endless_line_is_shown_in_part_with_its_true_column() {
    let mut sources = Sources::default();
    let file = sources.add("long.play", format!("{}wrong{}", "é".repeat(500_000), " x".repeat(500_000)));
    let span = sources.span_of(file, "wrong");
    let shown = text(&Findings::new(&sources, &[Diagnostic::new(Code::P001, span, "no")]), Colour::Never);
    assert!(shown.contains("--> long.play:1:500001\n"), "{shown}");
    assert!(shown.contains("wrong") && shown.len() < 5_000, "{shown}");
}

#[test]
fn places_at_and_behind_the_end_do_no_harm() {
    let mut sources = Sources::default();
    for text in ["", "é", "system X\n", "\n\n"] {
        let file = sources.add("end.play", text);
        for span in [Span::new(file, text.len()..text.len()), Span::new(file, 0..text.len() + 9), Span::new(file, 1..1)]
        {
            let found = [Diagnostic::new(Code::P001, span, "something else was expected").label("here")];
            let findings = Findings::new(&sources, &found);
            assert!(interplay_report::text(&findings, Colour::Always).contains("P001"));
            assert!(json(&findings)["diagnostics"][0]["range"]["start"]["line"].is_number());
        }
    }
}
