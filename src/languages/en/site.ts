import { plural } from '../../common/plural';

/** Pages that need no sign-in: `/`, the documents, shared receipts. */
export const site = {
  skip: 'Skip to the content',
  navigation: 'Site',
  documents: 'Documentation',
  reference: 'API reference',
  signIn: 'Sign in',
  signUp: 'Sign up',
  language: 'Language',
  missing: {
    title: 'Page not found',
    text: 'This address leads to no page.',
    start: 'To the documentation',
  },
  docs: {
    pages: 'Pages of the documentation',
    search: 'Search the documentation',
    submit: 'Search',
    results: (count: number, query: string) => `${plural(count, 'section', 'sections')} for “${query}”`,
    none: 'Nothing was found. Try a word of an error, a field or a header.',
    ask: 'Enter a word, such as the code of an error.',
    onGithub: 'file of the examples',
    seconds: (seconds: string) => `${seconds} s`,
    reclaim: (minutes: string) =>
      `The service takes the energy back ${minutes} minutes after the delegation, whatever the rental time.`,
    reclaimAtRentalEnd: (minutes: string) =>
      `The service takes the energy back ${minutes} minutes after the delegation, or when a rental of 1440 minutes ends.`,
  },
  home: {
    title: 'TRON energy by API',
    lead: 'Order energy for an address before it sends USDT, instead of burning TRX. You are charged only for energy that has arrived, and can prove each delegation to others.',
    price: 'Price',
    priceOf: (trx: string) => `${trx} TRX for a transaction (65,000 energy)`,
    priceHint: 'Prepaid, without a subscription. Failed orders cost nothing.',
    available: 'Available now',
    energy: (energy: string, transactions: string) => `About ${energy} energy: ${transactions} transactions`,
    little: 'Little just now. Delegated energy comes back all the while.',
    paused: 'New orders are paused just now.',
    unknown: 'Not known just now',
    how: 'How it works',
    steps: [
      'Make a token in the panel.',
      'Order with one HTTP call. It is answered once the delegation is in a block.',
      'Wait until the order is final, by look-up or webhook, and send your transfer.',
    ],
    first: 'Your first order',
  },
};
