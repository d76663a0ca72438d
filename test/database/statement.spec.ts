import { statement } from '../../src/database/statement';

describe('named statements', () => {
  it('have names of their own: a connection refuses a second text under one name', () => {
    expect(statement('test_twice', 'select 1')).toEqual({ name: 'test_twice', text: 'select 1' });
    expect(statement('test_twice', 'select 1').text).toBe('select 1');
    expect(() => statement('test_twice', 'select 2')).toThrow('two statements are called test_twice');
  });

  it.each(['test-hyphen', 'Test', 'test space', 'test_9'])('are words with underscores, not %s', (name) => {
    expect(() => statement(name, 'select 1')).toThrow('not in_words_with_underscores');
  });
});
