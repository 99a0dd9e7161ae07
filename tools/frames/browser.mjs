// Headless Chromium with software WebGL, and a private origin for it.
//
// Every request of the page is answered from this machine's files by Playwright's interception, so that nothing
// reaches a network and no server, port or bundler is needed.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ORIGIN = "http://tailfix.invalid";

const TYPES = {
    ".bin": "application/octet-stream",
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
    ".html": "text/html",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".vrm": "model/gltf-binary",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
};

// The page resolves three as its examples expect, straight from node_modules.
const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="importmap">{"imports": {
  "three": "/node_modules/three/build/three.module.js",
  "three/addons/": "/node_modules/three/examples/jsm/"
}}</script><body style="margin:0"></body>`;

export function findChromium() {
    const names = [
        process.env.CHROMIUM,
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ];
    return names.find((name) => name && existsSync(name));
}

// Opens a page that can import `three` and fetch the given model files.
// Returns {page, urls, problems, close}: urls[i] is where the page finds files[i]; problems collects every console
// error, uncaught exception and failed request.
export async function openPage(files) {
    const executablePath = findChromium();
    if (!executablePath) throw new Error("no Chromium found: install the package chromium, or name it in CHROMIUM");
    const browser = await chromium.launch({
        executablePath,
        args: [
            "--no-sandbox", // containers and root have no user namespaces
            "--use-gl=angle",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--ignore-gpu-blocklist",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    });
    const page = await browser.newPage();
    const problems = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.route("**/*", (route) => answer(route, files, problems));
    await page.goto(`${ORIGIN}/`);
    const urls = files.map((file, i) => `${ORIGIN}/file/${i}/${encodeURIComponent(path.basename(file))}`);
    return { page, urls, problems, close: () => browser.close() };
}

async function answer(route, files, problems) {
    const url = new URL(route.request().url());
    if (url.origin !== ORIGIN) {
        problems.push(`the page asked for ${url.href}`);
        return route.abort();
    }
    if (url.pathname === "/") return route.fulfill({ contentType: TYPES[".html"], body: PAGE });
    const file = localFile(decodeURIComponent(url.pathname), files);
    try {
        const body = await readFile(file);
        const contentType = TYPES[path.extname(file).toLowerCase()] ?? "application/octet-stream";
        return route.fulfill({ contentType, body });
    } catch (error) {
        problems.push(`${url.pathname}: ${error.message}`);
        return route.fulfill({ status: 404, body: "" });
    }
}

// /file/N/NAME is a file beside files[N] (a .gltf names its buffers so); everything else lies in this folder.
function localFile(pathname, files) {
    const beside = pathname.match(/^\/file\/(\d+)\/(.+)$/);
    if (!beside) return path.join(HERE, path.normalize(pathname));
    return path.join(path.dirname(files[Number(beside[1])]), path.normalize(beside[2]));
}
