// Loads a model in the page, with every decoder that three.js brings.
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { DRACOLoader } from "three/addons/loaders/DRACOLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";

const draco = new DRACOLoader().setDecoderPath("/node_modules/three/examples/jsm/libs/draco/gltf/");
const loader = new GLTFLoader().setDRACOLoader(draco).setMeshoptDecoder(MeshoptDecoder);

// {scene, animations, parser, ...} as GLTFLoader gives it, and nodes: the three.js object of every glTF node.
// three.js renames nodes (no dots, no duplicates), so nodes are looked up by their glTF index, never by name.
export async function load(url) {
    const gltf = await loader.loadAsync(url);
    const nodes = [];
    for (const [object, at] of gltf.parser.associations) {
        if (at?.nodes !== undefined && object.isObject3D) nodes[at.nodes] ??= object;
    }
    return { ...gltf, nodes, names: (gltf.parser.json.nodes ?? []).map((node) => node.name ?? "") };
}

// Nodes of grown chains: Tail_1 .. Tail_K and Tail_End, Tail2_1 ..
export const CHAIN_NODE = /^Tail\d*_(\d+|End)$/;

export function chainNodes(model) {
    return model.nodes.filter((node, i) => node && CHAIN_NODE.test(model.names[i]));
}

// Every skinned mesh below an object.
export function skinnedMeshes(scene) {
    const meshes = [];
    scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
    return meshes;
}
