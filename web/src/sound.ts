/** Short sounds, made on the spot: no file to load. Browsers stay silent until the first click, and so do we. */

import { prefs } from './prefs.svelte';

export type Sound = 'place' | 'capture' | 'paint' | 'marble' | 'end' | 'no';

let context: AudioContext | null = null;

window.addEventListener('pointerdown', wake, { once: true });
window.addEventListener('keydown', wake, { once: true });

function wake(): void {
  if (typeof AudioContext !== 'undefined') context ??= new AudioContext();
}

/** The sound of a move; `placing` is that of one that captures nothing. */
export function playMove(move: string, placing: Sound): void {
  play(move === 'pass' || move === 'swap' ? 'no' : move.includes('x') ? 'capture' : placing);
}

export function play(sound: Sound): void {
  if (!prefs.sound || !context) return;
  void context.resume();
  switch (sound) {
    case 'place':
      knock(220, 0.09, 0.3);
      break;
    case 'marble':
      knock(620, 0.06, 0.2);
      knock(910, 0.05, 0.1, 0.045);
      break;
    case 'capture':
      knock(150, 0.14, 0.4);
      hiss(0.16, 500, 0.16, 0.03);
      break;
    case 'paint':
      hiss(0.22, 1800, 0.12, 0);
      break;
    case 'end':
      [392, 494, 587].forEach((tone, i) => knock(tone, 0.5, 0.14, i * 0.12));
      break;
    case 'no':
      knock(110, 0.12, 0.16);
      break;
  }
}

function knock(tone: number, long: number, loud: number, after = 0): void {
  if (!context) return;
  const start = context.currentTime + after;
  const swing = context.createOscillator();
  const volume = context.createGain();
  swing.type = 'triangle';
  swing.frequency.setValueAtTime(tone, start);
  swing.frequency.exponentialRampToValueAtTime(tone * 0.6, start + long);
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + long);
  swing.connect(volume).connect(context.destination);
  swing.start(start);
  swing.stop(start + long);
}

function hiss(long: number, tone: number, loud: number, after: number): void {
  if (!context) return;
  const start = context.currentTime + after;
  const noise = context.createBuffer(1, Math.ceil(context.sampleRate * long), context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  const band = context.createBiquadFilter();
  const volume = context.createGain();
  source.buffer = noise;
  band.type = 'bandpass';
  band.frequency.value = tone;
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + long);
  source.connect(band).connect(volume).connect(context.destination);
  source.start(start);
}
