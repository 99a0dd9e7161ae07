#!/usr/bin/env node
// play_three.mjs FILE...: does three.js play a fixed file?
//
// In headless Chromium: loads each file with GLTFLoader, plays every clip through an AnimationMixer, and asks that the
// tail's bones are there, are bones of a skeleton, have tracks and move, that no skin goes to NaN, and that the browser
// has nothing to complain about.
import path from "node:path";
import { openPage } from "../../tools/frames/browser.mjs";

const files = process.argv.slice(2);
if (files.length === 0) {
    console.error("usage: play_three.mjs FILE...");
    process.exit(2);
}
let failed = false;
const { page, urls, problems, close } = await openPage(files);
for (const [i, url] of urls.entries()) {
    let result;
    try {
        result = await page.evaluate(async (url) => (await import("/page/play.js")).play(url), url);
    } catch (error) {
        result = { failures: [String(error.message).split("\n")[0]] };
    }
    const failures = [...result.failures, ...problems.splice(0)];
    const what = `${result.links ?? 0} tail links, ${result.clips ?? 0} clips, sways ${(result.swayDegrees ?? 0).toFixed(1)} degrees`;
    console.log(`${failures.length ? "FAIL" : "ok  "} three.js ${path.basename(files[i])}: ${what}`);
    for (const failure of failures.slice(0, 10)) console.log(`     ${failure}`);
    failed ||= failures.length > 0;
}
await close();
process.exit(failed ? 1 : 0);
