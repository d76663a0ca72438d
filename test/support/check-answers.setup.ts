import { takeUndocumented } from './answer-recorder';

/** An answer that the API's document lacks fails the test in which it was given. */
afterEach(() => {
  const problems = takeUndocumented();
  if (problems.length > 0) throw new Error(`openapi.json does not describe:\n  ${problems.join('\n  ')}`);
});
