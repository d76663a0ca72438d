import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Below, a guesser who tries the usual things first needs fewer than a million attempts. */
const LEAST_SCORE = 2;
/** What follows could make a password only better, and takes ever longer to look at. */
const MOST_LOOKED_AT = 64;

let guesser: Promise<ZxcvbnFactory> | null = null;

/** Some 20 MB, so not before somebody chooses a password: few processes see that. */
async function load(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common');
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

/**
 * Whether a password is among the first that are tried: one of the lists, rows of keys, repetitions, dates, what is made of these, or
 * of the given words.
 */
export async function isCommonPassword(password: string, words: readonly string[]): Promise<boolean> {
  guesser ??= load();
  const own = words.flatMap((word) => [word, ...word.split(/[@.\s]+/)]).filter((word) => word.length > 2);
  return (await guesser).check(password.slice(0, MOST_LOOKED_AT), own).score < LEAST_SCORE;
}
