/**
 * Wood and paper: short sounds, made by the browser itself; off until asked for.
 *
 * Lives here: which change of one's own table sounds, and how. No loops, nothing for rivals' moves.
 */

import { cardsOut } from '../rules.js';

/** @import { View } from '../rules.js' */

/** Notes of the four suits, spades to clubs; hertz. */
const SUIT_NOTES = [261.63, 329.63, 392, 523.25];
const SEMITONE = 2 ** (1 / 12);

export class Sound {
  /** @param {boolean} on */
  constructor(on) {
    this.on = on;
    /** @type {AudioContext | null} */
    this.context = null;
  }

  /** Made with the first sound: before a gesture the browser would not let it speak. */
  get audio() {
    if (!this.on || typeof AudioContext === 'undefined') return null;
    this.context ??= new AudioContext();
    if (this.context.state === 'suspended') void this.context.resume();
    return this.context;
  }

  /** What a change of the table sounds like. @param {View | null} before @param {View} after */
  change(before, after) {
    if (!this.on || !before || after.ply === before.ply) return;
    const out = after.foundations.findIndex((height, slot) => height > (before.foundations[slot] ?? 0));
    if (after.ended === 'won') this.chord();
    else if (out >= 0 && cardsOut(after) > cardsOut(before)) {
      this.pluck(Math.floor((out * 4) / after.foundations.length), after.foundations[out] ?? 1);
    } else if (after.stock !== before.stock) this.paper();
    else this.tap(150, 0.07, 0.16);
  }

  /** A card of paper: filtered noise. */
  paper() {
    const { audio } = this;
    if (!audio) return;
    const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.09), audio.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
    const source = new AudioBufferSourceNode(audio, { buffer });
    const rustle = new BiquadFilterNode(audio, { type: 'bandpass', frequency: 2600, Q: 0.8 });
    source.connect(rustle).connect(new GainNode(audio, { gain: 0.16 })).connect(audio.destination);
    source.start();
  }

  /**
   * A tap on wood.
   * @param {number} hertz
   * @param {number} seconds
   * @param {number} gain
   * @param {number} [delay] seconds
   * @param {OscillatorType} [type]
   */
  tap(hertz, seconds, gain, delay = 0, type = 'sine') {
    const { audio } = this;
    if (!audio) return;
    const start = audio.currentTime + delay;
    const tone = new OscillatorNode(audio, { frequency: hertz, type });
    const level = new GainNode(audio, { gain: 0 });
    level.gain.setValueAtTime(gain, start);
    level.gain.exponentialRampToValueAtTime(0.0005, start + seconds);
    tone.frequency.setValueAtTime(hertz, start);
    tone.frequency.exponentialRampToValueAtTime(hertz * 0.86, start + seconds);
    tone.connect(level).connect(audio.destination);
    tone.start(start);
    tone.stop(start + seconds);
  }

  /** A card is out: a pluck that climbs with its suit. @param {number} suit @param {number} rank */
  pluck(suit, rank) {
    this.tap((SUIT_NOTES[suit] ?? 262) * SEMITONE ** (rank - 1), 0.12, 0.12, 0, 'triangle');
  }

  refuse() {
    this.tap(110, 0.06, 0.2);
    this.tap(98, 0.06, 0.2, 0.08);
  }

  /** The countdown: three ticks and a bell. @param {boolean} bell */
  tick(bell) {
    this.tap(bell ? 880 : 440, bell ? 0.4 : 0.05, 0.1, 0, 'triangle');
  }

  chord() {
    SUIT_NOTES.forEach((note, i) => this.tap(note, 0.9, 0.09, i * 0.06, 'triangle'));
  }

  destroy() {
    void this.context?.close();
    this.context = null;
  }
}
