import { checkUserName } from '../../src/users/user.validation';

describe('the name of a user', () => {
  it.each(['a'.repeat(200), '𝒜'.repeat(200), ` ${'a'.repeat(200)} `])(
    'may have 200 characters, however long in bytes',
    (name) => {
      expect(checkUserName(name)).toBe(name.trim());
    },
  );

  it.each([
    ['201 characters', 'a'.repeat(201)],
    ['none', ''],
    ['blanks alone', '  '],
  ])('is refused with %s', (_, name) => {
    expect(() => checkUserName(name)).toThrow(
      expect.objectContaining({ code: 'user.name-length', parameters: { longest: 200 } }),
    );
  });
});
