export const firstRun = {
  title: 'Getting started',
  done: 'done',
  steps: {
    wallet: 'Add a wallet that delegates',
    key: 'Give the service access to its key',
    doctor: 'Check the wallet, then start it',
    user: 'Create a user',
    credit: 'Credit the user',
    order: 'Place the first order',
    balance: 'Top up your balance',
    token: 'Create an API token',
    call: 'Place your first order',
  },
  yourReceiver: 'THE_ADDRESS_THAT_NEEDS_ENERGY',
  topUpHints: { deposit: 'send TRX or USDT to your own deposit address', text: 'the operators say how:' },
  hints: {
    wallet:
      'a TRON account with staked TRX. The node fills in its stake and its permissions, and you choose the one for the service',
    key: 'in an environment variable, a file or the signer. The wallet check says what is wrong',
    doctor: 'this step is done once the wallet takes orders',
    user: 'you see the invitation link once. Send it to the user',
    credit: 'on the page of the user, with a reason',
    order:
      'with the token, on the page “Try it” or from any program. You may be your own customer: credit yourself and order',
    balance: 'an operator credits your account or adds a subscription',
    token: 'programs need one to call the API. You see it only once',
    call: 'copy this call, fill in your token and the address that needs energy, and run it. Or order on the page “Try it”',
  },
};
