#!/usr/bin/env python3
"""cvc5 as a program: reads SMT-LIB from a file or from standard input, and prints the answers. `--tlimit=MS` ends it."""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import cvc5


def main(arguments):
    if "--version" in arguments:
        print("This is cvc5 version", cvc5.Solver(cvc5.TermManager()).getVersion().decode())
        return
    for argument in arguments:
        if argument.startswith("--tlimit="):
            signal.setitimer(signal.ITIMER_REAL, int(argument.split("=")[1]) / 1000)
    files = [argument for argument in arguments if not argument.startswith("-")]
    text = open(files[0]).read() if files else sys.stdin.read()
    # Every question is asked by a solver of its own.
    for question in text.split("(reset)\n"):
        if question.strip():
            ask(question)


def ask(question):
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("arrays-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, question, "question")
    symbols = parser.getSymbolManager()
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return
        answer = command.invoke(solver, symbols)
        if answer:
            print(answer, end="", flush=True)


signal.signal(signal.SIGALRM, lambda *_: os._exit(1))
try:
    main(sys.argv[1:])
except RuntimeError as error:
    print(f'(error "{error}")', flush=True)
    sys.exit(1)
