// Scenes that a game brings beside the reveal.
export { beats, midnightOf, momentAt, stagedNight } from './cluedo/midnight';
