import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { preferred, speak } from './language.svelte';
import { prefs } from './prefs.svelte';

await speak(prefs.language ?? preferred());
mount(App, { target: document.getElementById('app')! });
