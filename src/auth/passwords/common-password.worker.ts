import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Below, a guesser who tries the usual things first needs fewer than a million attempts. */
const LEAST_SCORE = 2;
const guesser = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

// A thread of its own: one look takes up to a third of a second, in which nothing else would be answered.
parentPort?.on('message', ({ password, words }: { password: string; words: string[] }) => {
  const isWeak = (text: string) => guesser.check(text, words).score < LEAST_SCORE;
  const rest = withoutOwn(password, words);
  parentPort!.postMessage(isWeak(password) || (rest !== password && isWeak(rest)));
});

/** A guesser knows the name and the address: only what else there is makes a password. */
function withoutOwn(password: string, words: readonly string[]): string {
  const longestFirst = words.map((word) => word.toLowerCase()).toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((text, word) => {
    for (let at = text.toLowerCase().indexOf(word); at >= 0; at = text.toLowerCase().indexOf(word))
      text = text.slice(0, at) + text.slice(at + word.length);
    return text;
  }, password);
}
