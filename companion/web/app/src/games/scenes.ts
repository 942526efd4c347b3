import type { ScenePart } from './parts';

/** The scenes of games in addition to that of the urn, by name (Scene.of). */
export const scenes: Readonly<Record<string, ScenePart>> = Object.assign(
  {},
  ...Object.values(import.meta.glob<Record<string, ScenePart>>('./*/scenes.ts', { eager: true, import: 'scenes' })),
);
