// Shows one page with sample data: /src/dev/index.html?page=table&sample=play&lang=en
import { type Component, mount } from 'svelte';
import '../fonts.css';
import '../tokens.css';
import { tongue } from '../lib/tongue.svelte';
import { names } from './fixtures';

const ask = new URLSearchParams(location.search);
const lang = ask.get('lang');
tongue.lang = lang === 'en' ? 'en' : 'fr';
tongue.learnNames(names);
document.documentElement.lang = tongue.lang;

const pages = import.meta.glob<{ default: Component<{ sample: string }> }>('./*.svelte');
const page = await pages[`./${ask.get('page') ?? 'table'}.svelte`]?.();
const target = document.getElementById('app');
if (page && target) mount(page.default, { target, props: { sample: ask.get('sample') ?? 'play' } });
