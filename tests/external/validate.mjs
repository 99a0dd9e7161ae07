#!/usr/bin/env node
// validate.mjs IN OUT: the Khronos glTF validator on both files; fails when OUT has an error that IN had not.
//
// Errors are compared by their code and by where they are, with the indices in the pointer left out (what tailfix
// appends shifts nothing, but a primitive may point to a new accessor), and by how often they occur.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(new URL("../../tools/frames/package.json", import.meta.url));
const { validateBytes } = require("gltf-validator");

const ERROR = 0;
const WARNING = 1;

async function validate(file) {
    const report = await validateBytes(new Uint8Array(await readFile(file)), {
        uri: path.basename(file),
        maxIssues: 0, // no limit
        writeTimestamp: false,
        externalResourceFunction: async (uri) =>
            new Uint8Array(await readFile(path.join(path.dirname(file), decodeURIComponent(uri)))),
    });
    return report.issues.messages;
}

function count(messages, severity) {
    const counts = new Map();
    for (const message of messages.filter((m) => m.severity === severity)) {
        const where = (message.pointer ?? "").replace(/\d+/g, "#");
        const key = `${message.code} at ${where || "the file"}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
}

function added(before, after) {
    return [...after].map(([key, n]) => [key, n - (before.get(key) ?? 0)]).filter(([, more]) => more > 0);
}

const [input, output] = process.argv.slice(2);
if (!output) {
    console.error("usage: validate.mjs IN OUT");
    process.exit(2);
}
try {
    const [before, after] = [await validate(input), await validate(output)];
    const errors = added(count(before, ERROR), count(after, ERROR));
    const warnings = added(count(before, WARNING), count(after, WARNING));
    const total = (messages, severity) => messages.filter((m) => m.severity === severity).length;
    const show = ([key, more]) => `${more} new ${key}`;
    console.log(
        `${errors.length ? "FAIL" : "ok  "} validator: ${total(before, ERROR)} errors before, ${total(after, ERROR)} after` +
            (errors.length ? `: ${errors.map(show).join("; ")}` : "") +
            (warnings.length ? ` (warnings: ${warnings.map(show).join("; ")})` : ""),
    );
    if (errors.length) {
        const first = after.find((m) => m.severity === ERROR && errors.some(([key]) => key.startsWith(m.code)));
        console.log(`     ${first.pointer}: ${first.message}`);
    }
    process.exit(errors.length ? 1 : 0);
} catch (error) {
    console.log(`FAIL validator: ${error.message ?? error}`);
    process.exit(1);
}
