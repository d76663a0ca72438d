import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Below, a guesser who tries the usual things first needs fewer than a million attempts. */
const LEAST_SCORE = 2;
const guesser = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

// A thread of its own: one look takes up to a third of a second, in which nothing else would be answered.
parentPort?.on('message', ({ password, words }: { password: string; words: string[] }) => {
  parentPort!.postMessage(guesser.check(password, words).score < LEAST_SCORE);
});
