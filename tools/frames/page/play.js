// Plays every clip of a file in three.js and says what went wrong.
import * as THREE from "three";
import { chainNodes, load, skinnedMeshes } from "./load.js";

const TIMES = 5; // poses per clip
const SAMPLES = 3000; // skin points per mesh and pose
const MOVED = 1e-3; // radians: far below any visible sway, far above rounding

export async function play(url) {
    const model = await load(url);
    const failures = [];
    const expect = (ok, message) => ok || failures.push(message);

    const chain = chainNodes(model);
    const links = chain.filter((node) => !/End$/.test(model.names[model.nodes.indexOf(node)]));
    const bones = new Set(skinnedMeshes(model.scene).flatMap((mesh) => mesh.skeleton.bones));
    expect(links.length >= 3, `${links.length} tail links`);
    for (const node of chain) expect(node.isBone && bones.has(node), `${node.name} is not a bone of a skeleton`);
    for (const link of links) expect(link.parent?.isBone, `${link.name} hangs from no bone`);
    checkSkin(model.scene, "stored pose", expect);

    let sway = 0;
    const mixer = new THREE.AnimationMixer(model.scene);
    for (const clip of model.animations) {
        for (const link of links) {
            const name = `${link.name || link.uuid}.quaternion`;
            expect(clip.tracks.some((track) => track.name === name), `${clip.name}: no track for ${link.name}`);
        }
        const action = mixer.clipAction(clip).play();
        const first = [];
        for (let i = 0; i < TIMES; i++) {
            mixer.setTime((clip.duration * i) / TIMES);
            model.scene.updateMatrixWorld(true);
            for (const link of links) {
                if (i === 0) first.push(link.quaternion.clone());
                else sway = Math.max(sway, first[links.indexOf(link)].angleTo(link.quaternion));
            }
            checkSkin(model.scene, `${clip.name} at ${mixer.time.toFixed(2)} s`, expect);
        }
        action.stop();
    }
    if (model.animations.length) expect(sway > MOVED, `the tail stands still in every clip (${sway} radians)`);
    return { links: links.length, clips: model.animations.length, swayDegrees: (sway * 180) / Math.PI, failures };
}

function checkSkin(scene, when, expect) {
    const point = new THREE.Vector3();
    for (const mesh of skinnedMeshes(scene)) {
        const count = mesh.geometry.attributes.position.count;
        for (let i = 0; i < count; i += Math.ceil(count / SAMPLES)) {
            mesh.getVertexPosition(i, point);
            if (Number.isFinite(point.x + point.y + point.z)) continue;
            expect(false, `${when}: vertex ${i} of ${mesh.name} is nowhere`);
            break;
        }
    }
}
