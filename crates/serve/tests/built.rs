//! The page that is in the program is the one that its sources make. Where the packages of the page are not installed (`npm ci` in `web/`),
//! only its size is looked at: nobody needs Node to build the program.

use std::path::Path;
use std::process::Command;

#[test]
fn the_page_is_small_and_built_from_its_sources() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["dist/page.js", "web/index.html", "web/page.css"];
    let sizes = files.map(|file| std::fs::metadata(here.join(file)).map_or(0, |data| data.len()));
    assert!(sizes.iter().all(|size| *size > 0) && sizes.iter().sum::<u64>() < 600_000, "{sizes:?}");

    let esbuild = here.join("web/node_modules/.bin/esbuild");
    if !esbuild.exists() {
        eprintln!("not compared with its sources: `npm ci` in crates/serve/web installs what that needs");
        return;
    }
    let folder = std::env::temp_dir().join(format!("interplay-page-{}", std::process::id()));
    let made = folder.join("page.js");
    let options = ["src/main.js", "--bundle", "--minify", "--format=iife", "--target=es2022", "--legal-comments=none"];
    let done = Command::new(esbuild)
        .args(options)
        .arg(format!("--outfile={}", made.display()))
        .current_dir(here.join("web"))
        .output()
        .expect("esbuild starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let same =
        std::fs::read(&made).expect("it was made") == std::fs::read(here.join("dist/page.js")).expect("it is there");
    drop(std::fs::remove_dir_all(&folder));
    assert!(same, "dist/page.js is older than its sources: `npm run build` in crates/serve/web");
}
