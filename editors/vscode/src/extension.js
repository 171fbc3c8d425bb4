// The VS Code client: starts `interplay lsp`, and offers its commands as tasks and as tests. Everything about the language is
// decided by the server.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function program() {
  return vscode.workspace.getConfiguration("interplay").get("path") || "interplay";
}

async function start(context) {
  const run = { command: program(), args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("interplay", "Interplay", { run, debug: run }, {
    documentSelector: [{ language: "interplay" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.play") },
    initializationOptions: { sut: vscode.workspace.getConfiguration("interplay").get("sut") || undefined },
    // `interplay.run` comes from lenses; what is open is saved first, because commands read the disk.
    middleware: {
      executeCommand: async (command, args, next) => {
        await vscode.workspace.saveAll(false);
        return next(command, args);
      },
    },
  });
  try {
    await client.start();
  } catch (error) {
    const message = `Interplay: \`${program()}\` cannot be started (${error.message}). Set interplay.path to the program.`;
    vscode.window.showErrorMessage(message);
  }
}

/** Tasks: check, explore, verify and test the specification that is open. */
function tasks() {
  const task = (definition) => {
    const file = definition.file || "${file}";
    const words = [...definition.verb.split(" "), file, ...(definition.arguments || [])];
    const execution = new vscode.ShellExecution(program(), words);
    return new vscode.Task(definition, vscode.TaskScope.Workspace, definition.verb, "interplay", execution, "$interplay");
  };
  return vscode.tasks.registerTaskProvider("interplay", {
    provideTasks: () => ["check", "explore", "verify", "scenario run"].map((verb) => task({ type: "interplay", verb })),
    resolveTask: (asked) => task(asked.definition),
  });
}

/** The test explorer: scenarios are played, properties are verified. They are found by the server's lenses. */
function tests(context) {
  const controller = vscode.tests.createTestController("interplay", "Interplay");
  const commands = new Map();
  const discover = async (document) => {
    if (document.languageId !== "interplay" || !client || !client.isRunning()) return;
    const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri);
    const file = controller.createTestItem(document.uri.toString(), vscode.workspace.asRelativePath(document.uri), document.uri);
    for (const lens of lenses || []) {
      const [verb, path, name] = lens.command?.arguments || [];
      if (!["play", "verify-property", "find"].includes(verb)) continue;
      const item = controller.createTestItem(`${verb} ${name}`, `${verb.split("-")[0]} ${name}`, document.uri);
      item.range = lens.range;
      commands.set(item, [verb, path, name]);
      file.children.add(item);
    }
    controller.items.add(file);
  };
  const words = { play: (path, name) => ["scenario", "run", path, name], find: (path, name) => ["scenario", "find", path, name] };
  words["verify-property"] = (path, name) => ["verify", path, "--property", name];
  const one = (item, run, token) =>
    new Promise((done) => {
      const [verb, path, name] = commands.get(item);
      run.started(item);
      const child = require("child_process").execFile(program(), words[verb](path, name), (error, stdout, stderr) => {
        run.appendOutput((stdout + stderr).replace(/\n/g, "\r\n"), undefined, item);
        if (!error) run.passed(item);
        else if (error.code === 3) run.skipped(item);
        else run.failed(item, new vscode.TestMessage(stdout + stderr));
        done();
      });
      token.onCancellationRequested(() => child.kill());
    });
  controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, async (request, token) => {
    const run = controller.createTestRun(request);
    await vscode.workspace.saveAll(false);
    const leaves = [];
    const collect = (item) => (commands.has(item) ? leaves.push(item) : item.children.forEach(collect));
    if (request.include) request.include.forEach(collect);
    else controller.items.forEach(collect);
    for (const item of leaves) if (!token.isCancellationRequested) await one(item, run, token);
    run.end();
  });
  context.subscriptions.push(
    controller,
    vscode.workspace.onDidOpenTextDocument(discover),
    vscode.workspace.onDidSaveTextDocument(discover),
  );
  vscode.workspace.textDocuments.forEach(discover);
}

exports.activate = async (context) => {
  context.subscriptions.push(
    tasks(),
    vscode.commands.registerCommand("interplay.restart", () => client && client.restart()),
    vscode.commands.registerCommand("interplay.showOutput", () => client && client.outputChannel.show()),
  );
  await start(context);
  tests(context);
};

exports.deactivate = () => client && client.stop();
