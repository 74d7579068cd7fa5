export { demoConfig, isAllShown, playDemo } from './play-demo.js';
export type { SceneResult } from './scene.js';
