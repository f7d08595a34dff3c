//! All tests of the workspace: every test program of cargo, several in parallel. Most of them wait for a node, an
//! index or a browser for much of their time, so one after another they would leave the processor idle.

mod rings;

use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Write as _,
    fs::{self, File},
    num::NonZero,
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use tokio::{process::Command, task::JoinSet};

use crate::{
    aws::ministack::{self, Ministack},
    base::{
        failure::{Context, Failure, Result},
        process::Stop,
        workspace::{self, Cases},
    },
    dev::print,
    suite::rings::Rings,
};

/// Seconds that each program took when it last passed, in the tools folder.
const TIMES: &str = "test-times.json";
/// The programs of the last run, in the tools folder.
const LAST_RUN: &str = "suite-times.json";
/// The tests that take longest, each with its program. They run in the programs that check all their cases.
const LONG: &str = include_str!("suite/long.txt");
/// How often the names of the running programs are printed.
const PAUSE: Duration = Duration::from_secs(30);
/// The limit after which a program is assumed to hang: several times what the longest one takes on two cores.
const LIMIT: Duration = Duration::from_mins(60);
/// All test programs, as in the Makefile. Programs of `main.rs` are left out, since they contain no tests.
const TESTS: &str = "test --workspace --lib --test *";
/// The command for examples in documentation, which are not test programs of cargo.
const DOCUMENTATION: [&str; 5] = ["cargo", "test", "--workspace", "--doc", "--quiet"];
/// Exit code after a signal, as a shell reports Ctrl-C.
const STOPPED: u8 = 130;

/// A command that runs tests.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Program {
    /// Its package's folder and its own name.
    name: String,
    path: PathBuf,
    arguments: Vec<String>,
    /// Where it runs: cargo runs a test program in its package's folder.
    folder: PathBuf,
    /// Whether it runs its long tests, and checks all cases of the others.
    all_cases: bool,
}

impl Program {
    /// Its name in the record of times: with all cases it has another one.
    fn label(&self) -> String {
        label(&self.name, self.all_cases)
    }
}

fn label(name: &str, all_cases: bool) -> String {
    if all_cases { format!("{name}, all cases") } else { name.to_owned() }
}

/// The output and outcome of a program that ended.
#[derive(Debug, Serialize)]
struct Ended {
    name: String,
    all_cases: bool,
    passed: bool,
    #[serde(skip)]
    output: String,
    seconds: u64,
}

impl Ended {
    fn label(&self) -> String {
        label(&self.name, self.all_cases)
    }
}

/// A line of `cargo test --message-format=json`.
#[derive(Deserialize)]
struct Message {
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Builds and runs all tests with the services that they share; returns the exit code.
///
/// # Errors
/// The suites cannot be built or started.
pub async fn run() -> Result<u8> {
    let mut stop = Stop::listen()?;
    let mut programs = programs(&built().await?, &workspace::root())?;
    let file = workspace::local_dir().join(TIMES);
    // Times only help: without them, programs run in cargo's order.
    let mut times = fs::read(&file)
        .ok()
        .and_then(|text| serde_json::from_slice::<BTreeMap<String, u64>>(&text).ok())
        .unwrap_or_default();
    let rings = choose_cases(&mut programs)?;
    longest_first(&mut programs, &times);
    leave_out_long(&mut programs);
    let ministack = Ministack::shared().await?;
    let ended = tokio::select! {
        ended = run_all(programs, ministack.url(), &times, print) => Some(ended),
        () = stop.wait() => None,
    };
    ministack.stop();
    let Some(ended) = ended.transpose()? else { return Ok(STOPPED) };
    let passed = || ended.iter().filter(|one| one.passed);
    if let Some(rings) = rings {
        rings.record(passed().filter(|one| one.all_cases).map(|one| one.name.as_str()))?;
    }
    times.extend(passed().map(|one| (one.label(), one.seconds)));
    write_json(&file, &times)?;
    write_json(&workspace::local_dir().join(LAST_RUN), &ended)?;
    Ok(u8::from(ended.iter().any(|one| !one.passed)))
}

fn write_json(file: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_vec_pretty(value).context(file.display())?;
    fs::write(file, text).context(file.display())
}

/// Marks the programs that run all of their tests and cases. If that depends on changes, also returns the
/// record of which programs passed.
fn choose_cases(programs: &mut [Program]) -> Result<Option<Rings>> {
    match workspace::cases_wanted() {
        Cases::Few => {
            print("The longest tests run with RUNEPORT_CASES=all alone.\n")?;
            Ok(None)
        }
        Cases::All => {
            programs.iter_mut().for_each(|program| program.all_cases = true);
            Ok(None)
        }
        Cases::Changed => {
            let rings = Rings::read(&workspace::root(), &workspace::cache_dir())?;
            for program in &mut *programs {
                program.all_cases = rings.is_due(&program.name);
            }
            let due = programs.iter().filter(|program| program.all_cases).count();
            let known = rings::table().count();
            print(&format!(
                "{due} of {known} programs with long tests run them: what the others cover has passed before.\n"
            ))?;
            Ok(Some(rings))
        }
    }
}

/// Builds the tests; returns cargo's messages.
async fn built() -> Result<String> {
    let build = Command::new("cargo")
        .args(TESTS.split(' '))
        .args(["--no-run", "--quiet"])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(workspace::root())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .output()
        .await
        .context("cargo")?;
    if build.status.success() {
        String::from_utf8(build.stdout).context("cargo")
    } else {
        Err(Failure::new("the tests do not compile"))
    }
}

/// The test programs that cargo's messages name, and the run of all examples in documentation.
fn programs(messages: &str, root: &Path) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: Message = serde_json::from_str(line).context("a message of cargo")?;
        let (Some(manifest), Some(target), Some(profile), Some(path)) =
            (message.manifest_path, message.target, message.profile, message.executable)
        else {
            continue;
        };
        if !profile.test {
            continue;
        }
        let folder = manifest.parent().context("a package without a folder")?.to_owned();
        let package = folder.file_name().unwrap_or_default().to_string_lossy();
        let name = match target.kind.first().map(String::as_str) {
            Some("test") => target.name,
            _ => "lib".to_owned(),
        };
        programs.push(Program {
            name: format!("{package} {name}"),
            path,
            arguments: Vec::new(),
            folder,
            all_cases: false,
        });
    }
    if programs.is_empty() {
        return Err(Failure::new("cargo names no test program"));
    }
    let [path, arguments @ ..] = DOCUMENTATION;
    programs.push(Program {
        name: "documentation".to_owned(),
        path: path.into(),
        arguments: arguments.map(str::to_owned).to_vec(),
        folder: root.to_owned(),
        all_cases: false,
    });
    Ok(programs)
}

/// A new program may take long, so it comes first.
fn longest_first(programs: &mut [Program], times: &BTreeMap<String, u64>) {
    programs.sort_by_key(|program| {
        std::cmp::Reverse(times.get(&program.label()).copied().unwrap_or(u64::MAX))
    });
}

/// The programs and names of [`LONG`].
fn long_tests() -> impl Iterator<Item = (&'static str, &'static str)> {
    LONG.lines().filter_map(|line| line.rsplit_once(' '))
}

/// Makes the programs that do not check all cases skip their long tests.
fn leave_out_long(programs: &mut [Program]) {
    for program in programs.iter_mut().filter(|program| !program.all_cases) {
        for (_, test) in long_tests().filter(|(name, _)| *name == program.name) {
            program.arguments.extend(["--skip", test].map(str::to_owned));
        }
    }
}

/// Runs the programs, at most twice as many at a time as there are processors; passes the outcome of each and
/// the totals to `print`.
async fn run_all(
    programs: Vec<Program>,
    ministack: &str,
    times: &BTreeMap<String, u64>,
    mut print: impl FnMut(&str) -> Result<()>,
) -> Result<Vec<Ended>> {
    let started = Instant::now();
    let count = programs.len();
    let at_once = thread::available_parallelism().map_or(1, NonZero::get).saturating_mul(2);
    let mut waiting = VecDeque::from(programs);
    let (mut running, mut names, mut ended) = (JoinSet::new(), Vec::new(), Vec::new());
    loop {
        while running.len() < at_once
            && let Some(program) = waiting.pop_front()
        {
            names.push(program.label());
            running.spawn(run_one(program, ministack.to_owned(), LIMIT));
        }
        let one: Ended = tokio::select! {
            one = running.join_next() => match one {
                Some(one) => one.context("a test program")??,
                None => break,
            },
            () = tokio::time::sleep(PAUSE) => {
                let still: Vec<_> = names.iter().map(|label| with_last_time(label, times)).collect();
                print(&format!("        still running: {}\n", still.join(", ")))?;
                continue;
            }
        };
        names.retain(|label| *label != one.label());
        ended.push(one);
        if let Some(one) = ended.last() {
            print(&line(one, ended.len(), count, times))?;
        }
    }
    print(&summary(&ended, started.elapsed().as_secs()))?;
    Ok(ended)
}

/// Runs a program to its end, or until it has taken too long. Its output goes to one file, so that both
/// streams keep their order.
async fn run_one(program: Program, ministack: String, limit: Duration) -> Result<Ended> {
    let Program { name, path, arguments, folder, all_cases } = program;
    let output = tempfile::NamedTempFile::new().context(&name)?;
    let stream = || File::options().append(true).open(output.path()).context(&name);
    let started = Instant::now();
    let run = Command::new(path)
        .args(arguments)
        .current_dir(folder)
        .env(workspace::CASES, if all_cases { "all" } else { "few" })
        .env(ministack::SHARED, ministack)
        .stdin(Stdio::null())
        .stdout(stream()?)
        .stderr(stream()?)
        .kill_on_drop(true)
        .status();
    let status = tokio::time::timeout(limit, run).await;
    let mut said = String::from_utf8_lossy(&fs::read(output.path()).context(&name)?).into_owned();
    let seconds = started.elapsed().as_secs();
    let passed = match status {
        Ok(status) => status.context(&name)?.success(),
        Err(_) => {
            said.push_str("\nIt was stopped because it took too long.\n");
            false
        }
    };
    Ok(Ended { name, all_cases, passed, output: said, seconds })
}

fn with_last_time(label: &str, times: &BTreeMap<String, u64>) -> String {
    match times.get(label) {
        Some(seconds) => format!("{label} (last time {seconds} s)"),
        None => label.to_owned(),
    }
}

/// The sum of a number over the result lines of an output: `test result: ok. 3 passed; 0 failed; …`.
fn counted(output: &str, what: &str) -> u64 {
    let results = output.lines().filter_map(|line| line.strip_prefix("test result: "));
    let numbers = results.flat_map(|line| line.split(['.', ';'])).filter_map(|part| {
        let (number, name) = part.trim().split_once(' ')?;
        (name == what).then(|| number.parse::<u64>().ok())?
    });
    numbers.fold(0, u64::saturating_add)
}

/// How a program ended, its output if it failed, and how many programs are left.
fn line(one: &Ended, place: usize, count: usize, times: &BTreeMap<String, u64>) -> String {
    let Ended { passed, output, seconds, .. } = one;
    let said = if *passed { "ok" } else { "FAILED" };
    let name = with_last_time(&one.label(), times);
    let tests = counted(output, "passed");
    let mut text = format!("[{place:>2}/{count}] {said}: {name}, {tests} tests, {seconds} s\n");
    let is_of_a_success = |line: &&str| {
        line.starts_with("test ") && (line.ends_with(" ... ok") || line.contains(" ... ignored"))
    };
    for line in output.lines().filter(|line| !passed && !is_of_a_success(line)) {
        // Writing to a `String` cannot fail, here and below.
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// The totals, and the programs that failed.
fn summary(ended: &[Ended], seconds: u64) -> String {
    let sum =
        |what| ended.iter().map(|one| counted(&one.output, what)).fold(0, u64::saturating_add);
    let mut text = format!(
        "\n{} tests passed, {} failed, {} ignored, in {seconds} s\n",
        sum("passed"),
        sum("failed"),
        sum("ignored"),
    );
    for one in ended.iter().filter(|one| !one.passed) {
        let _ = writeln!(text, "FAILED: {}", one.name);
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn program(name: &str) -> Program {
        let (path, folder) = (PathBuf::from("sh"), PathBuf::from("."));
        Program { name: name.to_owned(), path, arguments: Vec::new(), folder, all_cases: false }
    }

    fn script(name: &str, script: &str) -> Program {
        Program { arguments: vec!["-c".to_owned(), script.to_owned()], ..program(name) }
    }

    #[test]
    fn every_test_program_that_cargo_names_runs() {
        let artifact = |folder: &str, kind: &str, name: &str, test: bool, path: &str| {
            serde_json::json!({
                "reason": "compiler-artifact",
                "manifest_path": format!("/w/{folder}/Cargo.toml"),
                "target": { "name": name, "kind": [kind] },
                "profile": { "test": test },
                "executable": path,
            })
        };
        let messages = [
            artifact("shared", "lib", "shared", true, "/t/shared-1"),
            artifact("infra/local", "test", "drills", true, "/t/drills-2"),
            artifact("infra/local", "bin", "runeport-local", false, "/t/runeport-local"),
            serde_json::json!({ "reason": "build-script-executed" }),
            serde_json::json!({ "reason": "build-finished", "success": true }),
        ];
        let messages = messages.map(|message| message.to_string()).join("\n");
        let found = programs(&messages, Path::new("/w")).unwrap();
        let shown: Vec<_> = found
            .iter()
            .map(|it| (it.name.as_str(), it.path.to_str().unwrap(), it.folder.to_str().unwrap()))
            .collect();
        assert_eq!(
            shown,
            [
                ("shared lib", "/t/shared-1", "/w/shared"),
                ("local drills", "/t/drills-2", "/w/infra/local"),
                ("documentation", "cargo", "/w"),
            ]
        );
        assert!(programs("", Path::new("/w")).is_err());
    }

    /// A file, or the Rust files in a folder; none if neither exists.
    fn files_below(path: &Path) -> Vec<PathBuf> {
        match fs::read_dir(path) {
            Ok(entries) => entries
                .map(|entry| entry.unwrap().path())
                .filter(|path| !path.ends_with("node_modules"))
                .flat_map(|path| files_below(&path))
                .collect(),
            Err(_) if path.extension().is_some_and(|name| name == "rs") => vec![path.to_owned()],
            Err(_) => Vec::new(),
        }
    }

    fn text_below(path: &Path) -> String {
        let text = |file: &PathBuf| fs::read_to_string(file).unwrap_or_default();
        files_below(path).iter().map(text).collect()
    }

    #[test]
    fn long_tests_are_tests_and_are_left_out() {
        assert_eq!(long_tests().count(), LONG.lines().count());
        assert!(LONG.lines().is_sorted());
        for (name, test) in long_tests() {
            let has_test = text_of(name).contains(&format!("{test}("));
            assert!(has_test, "{name} has no test {test}");
        }
        let mut programs = ["local recovery", "local recovery", "shared lib"].map(program);
        programs[1].all_cases = true;
        leave_out_long(&mut programs);
        let [few, all, short] = programs.map(|program| program.arguments);
        let left_out = "without_the_service_a_plain_a_rune_and_an_inscribed_coin_arrive_whole";
        assert_eq!(few, ["--skip", left_out]);
        assert!(all.is_empty() && short.is_empty());
    }

    /// The text of a program's files.
    fn text_of(program: &str) -> String {
        let (package, target) = program.rsplit_once(' ').unwrap();
        let folders = ["functions", "infra", "shared"];
        let mut folders =
            folders.map(|root| workspace::root().join(root).join(package)).into_iter();
        let package = folders.find(|folder| folder.is_dir()).unwrap();
        let folder = match target {
            "lib" => package.join("src"),
            _ => package.join("tests").join(target),
        };
        text_below(&folder) + &text_below(&folder.with_extension("rs"))
    }

    #[test]
    fn programs_have_long_tests_or_many_cases_exactly_if_the_table_of_rings_has_them() {
        let listed: BTreeSet<_> = rings::table().map(|(program, _)| program).collect();
        let long: BTreeSet<_> = long_tests().map(|(program, _)| program).collect();
        assert_eq!(long.difference(&listed).next(), None, "not in rings.txt");
        for program in listed.difference(&long) {
            assert!(text_of(program).contains("cases("), "{program} has nothing long");
        }
        for tests in ["functions", "shared", "infra"] {
            for file in files_below(&workspace::root().join(tests)) {
                let asks = file.components().any(|part| part.as_os_str() == "tests")
                    && fs::read_to_string(&file)
                        .is_ok_and(|text| text.contains("workspace::cases("));
                let is_listed = || listed.iter().any(|program| is_file_of(&file, program));
                assert!(!asks || is_listed(), "{} asks for cases: rings.txt", file.display());
            }
        }
    }

    /// Whether a file belongs to the test program of this name.
    fn is_file_of(file: &Path, program: &str) -> bool {
        let (package, target) = program.rsplit_once(' ').unwrap();
        let start = format!("/{package}/tests/{target}");
        let name = file.display().to_string();
        name.split_once(&start).is_some_and(|(_, rest)| rest.starts_with(['/', '.']))
    }

    #[test]
    fn new_programs_start_first_and_then_the_longest() {
        let mut programs = ["short", "new", "long"].map(program);
        let times = BTreeMap::from([("short".to_owned(), 1), ("long".to_owned(), 9)]);
        longest_first(&mut programs, &times);
        assert_eq!(programs.map(|program| program.name), ["new", "long", "short"]);
    }

    #[tokio::test]
    async fn a_failure_is_shown_with_its_output_and_counted() {
        let passes = "echo 'test a ... ok'; echo 'test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured'";
        let fails = "echo 'test b ... ok'; echo 'test c ... FAILED'; echo why >&2; \
            echo 'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured'; exit 101";
        let programs = vec![script("one", passes), script("two", fails)];
        let times = BTreeMap::from([("one".to_owned(), 5)]);
        let (mut ended, text) = printed(programs, &times).await;
        ended.sort_by(|one, other| one.name.cmp(&other.name));
        assert_eq!(ended.iter().map(|one| one.passed).collect::<Vec<_>>(), [true, false]);
        for line in [
            "/2] ok: one (last time 5 s), 2 tests, ",
            "/2] FAILED: two, 1 tests, ",
            " s\n    test c ... FAILED\n    why\n    test result: FAILED. ",
            "\n3 tests passed, 1 failed, 1 ignored, in ",
            " s\nFAILED: two\n",
        ] {
            assert!(text.contains(line), "{line:?} is not in {text}");
        }
    }

    #[tokio::test]
    async fn a_program_that_takes_too_long_is_stopped_and_shown() {
        let slow = script("slow", "echo begun; exec sleep 600");
        let ended = run_one(slow, String::new(), Duration::from_millis(500)).await.unwrap();
        assert!(!ended.passed, "{ended:?}");
        assert_eq!(ended.output, "begun\n\nIt was stopped because it took too long.\n");
    }

    #[tokio::test]
    async fn a_program_that_dies_without_a_result_fails() {
        let programs = vec![script("one", "kill -KILL $$")];
        let (ended, text) = printed(programs, &BTreeMap::new()).await;
        assert!(ended.iter().all(|one| !one.passed));
        assert!(text.ends_with("FAILED: one\n"), "{text}");
    }

    /// Runs programs; returns how they ended, and what was printed.
    async fn printed(
        programs: Vec<Program>,
        times: &BTreeMap<String, u64>,
    ) -> (Vec<Ended>, String) {
        let mut text = String::new();
        let print = |line: &str| {
            text.push_str(line);
            Ok(())
        };
        let ended = run_all(programs, "http://localhost:1", times, print).await.unwrap();
        (ended, text)
    }
}
