/** A device or a service that does not answer must not keep the caller waiting: its orders wait with it. */
export const BACKEND_MS = 5_000;

/** What comes later is thrown away. @throws Error */
export async function endsWithin<T>(answer: Promise<T>, ms = BACKEND_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(noAnswerWithin(ms)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function noAnswerWithin(ms = BACKEND_MS): Error {
  return new Error(`no answer within ${ms / 1_000} seconds`);
}
