import type { ScenePart } from './parts';

/** Scenes that games bring beside that of the urn, by the name of each (Scene.of). */
export const scenes: Readonly<Record<string, ScenePart>> = Object.assign(
  {},
  ...Object.values(import.meta.glob<Record<string, ScenePart>>('./*/scenes.ts', { eager: true, import: 'scenes' })),
);
