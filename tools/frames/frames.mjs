#!/usr/bin/env node
// Contact sheet of characters: a row per file, evenly spread times of one clip as columns.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { openPage } from "./browser.mjs";

const USAGE = `usage: frames.mjs FILE... [options]

  FILE              .glb, .vrm or .gltf; one row each
  --clip NAME       clip to show; none: stored pose, bind: bind pose   (none)
  --times N         columns, spread evenly over the clip               (4)
  --at T,T,...      these times of the clip instead, in seconds
  --view VIEW       side, back, front, three-quarter, below            (side)
  --turn DEG        turn the camera about the vertical by this much    (0)
  --zoom F          come this much closer                              (1)
  --focus WHAT      look at the nodes whose name matches WHAT; tail: the grown tail
  --bend DEG        turn every tail link, for files without clips      (0)
  --floor Y         height of the floor; auto: the body's lowest point  (0)
  --bones           draw the bones, the tail's in red
  --wire            draw the triangles
  --size WxH        pixels of a cell                                   (420x420)
  --out FILE.png    where to write                                     (frames.png)`;

const OPTIONS = {
    clip: { type: "string", default: "none" },
    times: { type: "string", default: "4" },
    at: { type: "string" },
    view: { type: "string", default: "side" },
    turn: { type: "string", default: "0" },
    zoom: { type: "string", default: "1" },
    focus: { type: "string" },
    bend: { type: "string", default: "0" },
    floor: { type: "string", default: "0" },
    bones: { type: "boolean", default: false },
    wire: { type: "boolean", default: false },
    size: { type: "string", default: "420x420" },
    out: { type: "string", default: "frames.png" },
    help: { type: "boolean", short: "h", default: false },
};

function radians(degrees) {
    return (Number(degrees) * Math.PI) / 180;
}

// Rows are named by their file, and by its folder too where two files share a name.
function labelsOf(files) {
    const names = files.map((file) => path.basename(file));
    return files.map((file, i) => {
        const unique = names.filter((name) => name === names[i]).length === 1;
        return unique ? names[i] : path.join(path.basename(path.dirname(path.resolve(file))), names[i]);
    });
}

async function main() {
    const { values, positionals: files } = parseArgs({ options: OPTIONS, allowPositionals: true });
    if (values.help || files.length === 0) {
        console.log(USAGE);
        return values.help ? 0 : 2;
    }
    const options = {
        ...values,
        labels: labelsOf(files),
        times: Number(values.times),
        at: values.at?.split(",").map(Number),
        turn: radians(values.turn),
        bend: radians(values.bend),
        zoom: Number(values.zoom),
        size: values.size.split("x").map(Number),
    };
    const { page, urls, problems, close } = await openPage(files);
    try {
        const { png, titles } = await page.evaluate(
            async ({ urls, options }) => (await import("/page/sheet.js")).renderSheet(urls, options),
            { urls, options },
        );
        await writeFile(values.out, Buffer.from(png.split(",", 2)[1], "base64"));
        for (const title of titles) console.log(title);
        console.log(`wrote ${values.out}`);
    } finally {
        await close();
        for (const problem of problems) console.error(`page: ${problem}`);
    }
    return 0;
}

try {
    process.exitCode = await main();
} catch (error) {
    console.error(String(error.message).split("\n    at ")[0]);
    process.exitCode = 1;
}
