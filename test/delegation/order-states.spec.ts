import * as states from '../../src/common/order.states';

const ALL = [...states.ORDER_STATES].sort();

// A state that a list leaves out is an order that no sweep settles, charges or takes back.
describe('the states of an order', () => {
  it.each([
    ['open, lent or finished', [states.OPEN_STATES, states.LENT_STATES, states.FINISHED_STATES]],
    ['charged or not', [states.CHARGED_STATES, states.UNCHARGED_STATES]],
  ])('are each %s, and only one of these', (_, lists) => {
    expect(lists.flat().sort()).toEqual(ALL);
  });

  it('are followed by others until the order is finished, and then by none', () => {
    const before = states.ORDER_STATES.flatMap((state) => states.statesBefore(state));
    expect(states.ORDER_STATES.filter((state) => !before.includes(state))).toEqual(
      states.ORDER_STATES.filter((state) => states.FINISHED_STATES.includes(state)),
    );
  });
});
