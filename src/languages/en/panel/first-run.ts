export const firstRun = {
  title: 'Getting started',
  done: 'done',
  steps: {
    wallet: 'Add a wallet that delegates',
    key: 'Give the service access to its key',
    doctor: 'Check the wallet, then resume it',
    user: 'Create a user',
    credit: 'Credit the user',
    order: 'Place the first order',
    balance: 'Top up your balance',
    token: 'Create an API token',
    call: 'Place your first order',
  },
  yourReceiver: 'THE_ADDRESS_THAT_NEEDS_ENERGY',
  topUpHints: { deposit: 'Send TRX or USDT to your own deposit address.', text: 'The operators say how:' },
  hints: {
    wallet:
      'You need a TRON account with staked TRX. The node fills in its stake and its permissions, and you choose the permission for the service.',
    key: 'Put the key into an environment variable, a file or the signer. The wallet check says what is wrong.',
    doctor: 'This step is done once the wallet takes orders.',
    user: 'You see the invitation link once. Send it to the user.',
    credit: 'Open the page of the user, then enter an amount and a reason.',
    order:
      'Order with the token, on the page “Try it” or from any program. You may be your own customer: credit yourself and order.',
    balance: 'An operator credits your account or adds a subscription.',
    token: 'Programs need a token to call the API. You see it only once.',
    call: 'Copy this call, fill in your token and the address that needs energy, and run it. Or order on the page “Try it”.',
  },
};
