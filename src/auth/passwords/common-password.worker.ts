import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Below, a guesser who tries the usual things first needs fewer than a million attempts. */
const LEAST_SCORE = 2;
const guesser = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

// A thread of its own: one look takes up to a third of a second, in which nothing else would be answered.
parentPort?.on('message', ({ number, password, words }: { number: number; password: string; words: string[] }) => {
  const isWeak = (text: string) => guesser.check(text, words).score < LEAST_SCORE;
  const lower = password.toLowerCase();
  const rest = withoutOwn(lower, words);
  const isCommon = isWeak(password) || (rest !== lower && isWeak(rest));
  parentPort!.postMessage({ number, isCommon });
});

/**
 * A guesser knows the name and the address: only what else there is makes a password. Both are in small letters already: some letters
 * are longer in small ones, so that a position in one spelling is none in the other.
 */
function withoutOwn(lower: string, words: readonly string[]): string {
  const longestFirst = words.map((word) => word.toLowerCase()).toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((text, word) => text.split(word).join(''), lower);
}
