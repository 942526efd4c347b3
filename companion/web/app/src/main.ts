import { mount } from 'svelte';
import App from './App.svelte';
import './fonts.css';
import './tokens.css';
import { language } from './lib/language.svelte';
import { learn } from './lib/words';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
// Without words there is nothing to show, not even that they are missing: try again until the daemon answers.
learn(language.lang).then(
  () => mount(App, { target }),
  () => setTimeout(() => location.reload(), 2000),
);
