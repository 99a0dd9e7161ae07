// Renders the contact sheet: a row per file, a column per time, one camera for all.
import * as THREE from "three";
import { CHAIN_NODE, chainNodes, load, skinnedMeshes } from "./load.js";

const SAMPLES = 3000; // skin points per mesh that the framing looks at: enough to miss no limb
const LABEL = 24; // pixels of a line of text
const LINE = 5; // files side by side
const SAME = 1.6; // rows whose heights differ by less show one character
const FIELD = 20; // degrees: a long lens, which distorts little
const MARGIN = 1.08; // of the character's bounds: it may not touch the cell's edge

// Where the camera stands, in the character's frame (x left, y up, z forward).
const VIEWS = {
    front: [0, 0.12, 1],
    back: [0, 0.12, -1],
    side: [1, 0.08, 0],
    "three-quarter": [0.75, 0.3, -0.75],
    below: [0.45, -0.55, -0.75],
};

export async function renderSheet(urls, options) {
    const rows = [];
    for (const [i, url] of urls.entries()) rows.push(await makeRow(url, options.labels[i], options));
    const frames = rows.map((row) => row.times.map((t) => measure(row, t, options)));
    frameRows(rows, frames, options);
    const [width, height] = options.size;
    // Files shown in one pose each stand side by side.
    const beside = rows.every((row) => row.times.length === 1);
    const columns = beside ? Math.min(LINE, rows.length) : Math.max(...rows.map((row) => row.times.length));
    const sheet = document.createElement("canvas");
    sheet.width = width * columns;
    sheet.height = (height + LABEL) * (beside ? Math.ceil(rows.length / LINE) : rows.length);
    const paper = sheet.getContext("2d");
    paper.fillStyle = "#ffffff";
    paper.fillRect(0, 0, sheet.width, sheet.height);

    const studio = makeStudio(width, height);
    const titles = rows.map((row) => `${row.label}: ${row.title}, floor at ${+row.frame.floor.toFixed(3)}`);
    for (const [r, row] of rows.entries()) {
        const left = beside ? (r % LINE) * width : 0;
        const top = (beside ? Math.floor(r / LINE) : r) * (height + LABEL);
        write(paper, beside ? row.label : titles[r], left + 8, top + 17, "#111111");
        for (const [c, time] of row.times.entries()) {
            const x = left + c * width, y = top + LABEL;
            pose(row, time, options);
            shoot(studio, row, frames[r][c].box, options);
            paper.drawImage(studio.renderer.domElement, x, y, width, height);
            paper.strokeStyle = "#b8bcc4";
            paper.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
            write(paper, row.clip ? `${time.toFixed(2)} s` : row.pose, x + 8, y + 20, "#444444");
        }
    }
    return { png: sheet.toDataURL("image/png"), titles };
}

function write(paper, text, x, y, colour) {
    paper.font = "15px sans-serif";
    paper.fillStyle = colour;
    paper.fillText(text, x, y);
}

// ---- a row --------------------------------------------------------------------------------------

async function makeRow(url, label, options) {
    const model = await load(url);
    const tail = chainNodes(model);
    const row = { ...model, label, tail, meshes: skinnedMeshes(model.scene), rest: model.nodes.map(restOf) };
    row.clip = findClip(model.animations, options.clip, label);
    row.pose = options.clip === "bind" ? "bind pose" : "stored pose";
    row.times = row.clip ? columnTimes(row.clip, options) : [0];
    row.forward = findForward(model);
    if (row.clip) {
        row.mixer = new THREE.AnimationMixer(model.scene);
        // Once and clamped, or the last time of a clip would show its first frame.
        const action = row.mixer.clipAction(row.clip).setLoop(THREE.LoopOnce);
        action.clampWhenFinished = true;
        action.play();
    }
    row.title = [row.clip ? `clip ${row.clip.name}, ${row.clip.duration.toFixed(2)} s` : row.pose,
        tail.length ? `${tail.length} tail nodes` : "no tail bones"].join(", ");
    if (options.wire) addWires(row);
    if (options.bones) addBones(row);
    model.scene.traverse((object) => {
        object.castShadow = object.isMesh;
        object.frustumCulled = false; // bounds of skinned meshes are those of one pose only
    });
    return row;
}

function restOf(node) {
    return node && { node, quaternion: node.quaternion.clone() };
}

function findClip(clips, wanted, label) {
    if (wanted === "none" || wanted === "bind") return null;
    const low = wanted.toLowerCase();
    const found = clips.find((clip) => clip.name === wanted) ?? clips.find((clip) => clip.name.toLowerCase() === low) ??
        clips.find((clip) => clip.name.toLowerCase().includes(low));
    if (!found) {
        const names = clips.map((clip) => clip.name).join(", ") || "no clips at all";
        throw new Error(`${label}: no clip "${wanted}"; it has ${names}`);
    }
    return found;
}

// Evenly spread over the clip. The last moment of a loop is its first one, so it is not a column.
function columnTimes(clip, options) {
    if (options.at) return options.at;
    return Array.from({ length: options.times }, (_, i) => (clip.duration * i) / options.times);
}

// Which way the character faces in the world, from every pair of nodes named for a left and a right side, whatever
// the convention of the names: models face +Z, -Z or anything.
function findForward(model) {
    const up = new THREE.Vector3(0, 1, 0), across = new THREE.Vector3(), p = new THREE.Vector3();
    model.scene.updateMatrixWorld(true);
    model.names.forEach((name, left) => {
        const right = model.names.indexOf(mirrored(name));
        if (right < 0 || !model.nodes[left] || !model.nodes[right]) return;
        across.add(p.setFromMatrixPosition(model.nodes[left].matrixWorld));
        across.sub(p.setFromMatrixPosition(model.nodes[right].matrixWorld));
    });
    const forward = across.setY(0).cross(up);
    return forward.lengthSq() > 0 ? forward.normalize() : new THREE.Vector3(0, 0, 1);
}

// The name of the same node on the right side: LeftFoot, foot.l, L_Foot, foot_L_01, FootL. Empty when it is not on the left.
function mirrored(name) {
    const swapped = name.replace(/left/, "right").replace(/Left/, "Right").replace(/LEFT/, "RIGHT")
        .replace(/(?<![A-Za-z])l(?![A-Za-z])/, "r").replace(/(?<![A-Za-z])L(?![A-Za-z])|(?<=[a-z])L$/, "R");
    return swapped === name ? "" : swapped;
}

function pose(row, time, options) {
    if (row.mixer) row.mixer.setTime(time);
    else for (const rest of row.rest) rest?.node.quaternion.copy(rest.quaternion);
    if (options.clip === "bind") for (const mesh of row.meshes) mesh.skeleton.pose();
    if (!row.mixer && options.bend) {
        const bend = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(1, 0, 0), options.bend);
        for (const node of row.tail) node.quaternion.multiply(bend);
    }
    row.scene.updateMatrixWorld(true);
    for (const update of row.overlays ?? []) update();
}

// ---- overlays -----------------------------------------------------------------------------------

function addWires(row) {
    const material = new THREE.MeshBasicMaterial({ color: 0x101820, wireframe: true, transparent: true, opacity: 0.35 });
    for (const mesh of row.meshes) {
        // three.js numbers the triangles of a geometry without indices by its array's length, which is wrong where the
        // array is interleaved; so it is given indices.
        const geometry = mesh.geometry.clone();
        if (!geometry.index) geometry.setIndex(Array.from({ length: geometry.attributes.position.count }, (_, i) => i));
        const wire = new THREE.SkinnedMesh(geometry, material);
        wire.bind(mesh.skeleton, mesh.bindMatrix);
        wire.userData.overlay = true;
        mesh.add(wire);
    }
}

// Bones as lines seen through the skin, those of a grown tail in red with a dot on each joint.
function addBones(row) {
    const body = [], tail = [];
    for (const bone of new Set(row.meshes.flatMap((mesh) => mesh.skeleton.bones))) {
        if (!bone.parent?.isBone) continue;
        (row.tail.includes(bone) ? tail : body).push([bone.parent, bone]);
    }
    const draw = (pairs, colour, dots) => {
        const geometry = new THREE.BufferGeometry();
        const points = new THREE.BufferAttribute(new Float32Array(pairs.length * 6), 3);
        geometry.setAttribute("position", points);
        const style = { color: colour, depthTest: false, transparent: true };
        const group = new THREE.Group().add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(style)));
        if (dots) group.add(new THREE.Points(geometry, new THREE.PointsMaterial({ ...style, size: 6, sizeAttenuation: false })));
        group.traverse((object) => { object.renderOrder = 10; object.frustumCulled = false; });
        const at = new THREE.Vector3();
        row.overlays = [...(row.overlays ?? []), () => {
            pairs.flat().forEach((bone, i) => points.setXYZ(i, ...at.setFromMatrixPosition(bone.matrixWorld).toArray()));
            points.needsUpdate = true;
        }];
        row.extra = [...(row.extra ?? []), group];
    };
    draw(body, 0x2460c0, false);
    draw(tail, 0xe01010, true);
}

// ---- framing ------------------------------------------------------------------------------------

// Box of what the camera looks at, in one pose: the skin, or the nodes that options.focus names; and the lowest point
// of the body's skin.
function measure(row, time, options) {
    pose(row, time, options);
    const skin = new THREE.Box3(), point = new THREE.Vector3();
    let lowest = Infinity;
    row.scene.traverse((mesh) => {
        if (!mesh.isMesh || mesh.userData.overlay) return;
        const count = mesh.geometry.attributes.position.count;
        for (let i = 0; i < count; i += Math.ceil(count / SAMPLES)) {
            mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
            if (!Number.isFinite(point.x + point.y + point.z)) continue;
            skin.expandByPoint(point);
            if (!onTail(row, mesh, i)) lowest = Math.min(lowest, point.y);
        }
    });
    if (!options.focus) return { box: skin, lowest };
    const box = new THREE.Box3();
    for (const node of focusNodes(row, options.focus)) box.expandByPoint(point.setFromMatrixPosition(node.matrixWorld));
    return { box, lowest };
}

function onTail(row, mesh, vertex) {
    const joints = mesh.geometry.attributes.skinIndex, weights = mesh.geometry.attributes.skinWeight;
    if (!mesh.isSkinnedMesh || row.tail.length === 0) return false;
    let tail = 0;
    for (let k = 0; k < 4; k++) {
        if (row.tail.includes(mesh.skeleton.bones[joints.getComponent(vertex, k)])) tail += weights.getComponent(vertex, k);
    }
    return tail > 0.5;
}

function focusNodes(row, focus) {
    const pattern = focus === "tail" ? CHAIN_NODE : new RegExp(focus, "i");
    return row.nodes.filter((node, i) => node && pattern.test(row.names[i]));
}

// Gives every row its camera's target height and reach, and the floor. Rows of one size (a character before and after)
// share all three, so that they can be compared; the others are framed each for itself.
function frameRows(rows, frames, options) {
    fillEmpty(frames);
    const size = (row) => row.reduce((box, frame) => box.union(frame.box), new THREE.Box3()).getSize(new THREE.Vector3()).y;
    const heights = frames.map(size);
    const together = Math.max(...heights) < SAME * Math.min(...heights);
    rows.forEach((row, r) => {
        const mates = together ? rows.map((_, i) => i) : [r];
        const cells = mates.flatMap((i) => frames[i]);
        const half = new THREE.Vector3();
        let low = Infinity, high = -Infinity;
        for (const { box } of cells) {
            half.max(box.getSize(new THREE.Vector3()).multiplyScalar(0.5));
            low = Math.min(low, box.min.y);
            high = Math.max(high, box.max.y);
        }
        half.y = (high - low) / 2;
        row.frame = { half, height: (high + low) / 2, floor: floorOf(rows, frames, mates, half, options) };
    });
}

// A cell with nothing to look at (the input beside its fixed file, --focus tail) is framed as its column in another row.
function fillEmpty(frames) {
    for (const row of frames) {
        row.forEach((frame, c) => {
            if (!frame.box.isEmpty()) return;
            const other = frames.map((cells) => cells[c]).find((cell) => cell && !cell.box.isEmpty());
            if (!other) throw new Error("nothing to look at: no skin, or no node that --focus names");
            frame.box = other.box;
        });
    }
}

// The lowest point of the body over the columns; world 0 when that is near. A file whose tail has no bones cannot tell
// tail from body, so files with a tail decide where there are any.
function floorOf(rows, frames, mates, half, options) {
    if (options.floor !== "auto") return Number(options.floor);
    const tailed = mates.filter((i) => rows[i].tail.length);
    const lowest = Math.min(...(tailed.length ? tailed : mates).flatMap((i) => frames[i].map((frame) => frame.lowest)));
    return Math.abs(lowest) < 0.05 * 2 * half.y ? 0 : lowest;
}

// ---- the studio ---------------------------------------------------------------------------------

function makeStudio(width, height) {
    const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    renderer.setSize(width, height, false);
    renderer.shadowMap.enabled = true;
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xe9ebef);
    scene.add(new THREE.HemisphereLight(0xffffff, 0x8c8478, 1.6));
    const key = new THREE.DirectionalLight(0xfff4e6, 2.2);
    key.castShadow = true;
    key.shadow.mapSize.set(1024, 1024);
    const rim = new THREE.DirectionalLight(0xdfe8ff, 1.2);
    scene.add(key, key.target, rim, rim.target);
    return { renderer, scene, key, rim, aspect: width / height };
}

// Grid and see-through sheet, so that what has sunk through the floor shows, tinted.
function makeFloor(size) {
    const floor = new THREE.Group();
    const step = 10 ** Math.round(Math.log10(size / 10)); // 0.1 m squares for a character of 0.3 to 3 m
    const cells = 2 * Math.ceil((2 * size) / step);
    floor.add(new THREE.GridHelper(cells * step, cells, 0x7d8796, 0xb4bac4));
    const plane = new THREE.PlaneGeometry(cells * step, cells * step).rotateX(-Math.PI / 2);
    const tint = { color: 0x9fb4d0, transparent: true, opacity: 0.45, side: THREE.DoubleSide, depthWrite: false };
    const shadow = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.25 }));
    shadow.receiveShadow = true;
    floor.add(new THREE.Mesh(plane, new THREE.MeshBasicMaterial(tint)), shadow);
    return floor;
}

function shoot(studio, row, box, options) {
    const { renderer, scene, aspect } = studio;
    const { half, height, floor: floorHeight } = row.frame;
    // Travel over the ground is followed; the height is not, so that the floor stays where it is in the picture.
    const centre = box.getCenter(new THREE.Vector3()).setY(options.focus ? box.getCenter(new THREE.Vector3()).y : height);
    const camera = makeCamera(row.forward, centre, half, aspect, options);
    const floor = makeFloor(2 * Math.max(half.x, half.y, half.z));
    floor.position.set(centre.x, floorHeight, centre.z);
    placeLights(studio, camera, centre, half.length());
    const guests = [row.scene, floor, ...(row.extra ?? [])];
    scene.add(...guests);
    renderer.render(scene, camera);
    scene.remove(...guests);
}

function makeCamera(front, centre, half, aspect, options) {
    const up = new THREE.Vector3(0, 1, 0);
    const forward = front.clone().applyAxisAngle(up, options.turn);
    const [x, y, z] = VIEWS[options.view];
    const toward = up.clone().cross(forward).multiplyScalar(x).addScaledVector(forward, z).setY(y).normalize();
    // Half the picture's width and height that the box takes up, seen along `toward`.
    const right = up.clone().cross(toward).normalize(), above = toward.clone().cross(right);
    const across = (axis) => Math.abs(axis.x) * half.x + Math.abs(axis.y) * half.y + Math.abs(axis.z) * half.z;
    const reach = Math.max(across(above), across(right) / aspect) / options.zoom;
    const distance = across(toward) + (MARGIN * reach) / Math.tan(THREE.MathUtils.degToRad(FIELD / 2));
    const camera = new THREE.PerspectiveCamera(FIELD, aspect, distance / 100, distance * 100);
    camera.position.copy(centre).addScaledVector(toward, distance);
    camera.lookAt(centre);
    return camera;
}

// Key light above the camera's right shoulder, a cool one from behind to draw the outline.
function placeLights({ key, rim }, camera, centre, radius) {
    const toward = camera.position.clone().sub(centre).normalize();
    const right = new THREE.Vector3(0, 1, 0).cross(toward).normalize();
    key.position.copy(centre).addScaledVector(toward, 2 * radius).addScaledVector(right, radius);
    key.position.y = centre.y + 3 * radius;
    rim.position.copy(centre).addScaledVector(toward, -2 * radius);
    rim.position.y = centre.y + 1.5 * radius;
    key.target.position.copy(centre);
    rim.target.position.copy(centre);
    const span = 2 * radius;
    Object.assign(key.shadow.camera, { left: -span, right: span, top: span, bottom: -span, near: radius / 10, far: 10 * radius });
    key.shadow.camera.updateProjectionMatrix();
    key.shadow.normalBias = radius / 100; // or low-poly skin shades itself in stripes
}
