export const search = {
  title: 'Search',
  operatorPlaceholder: 'Txid, address, order, user … ( / )',
  userPlaceholder: 'Txid, address, order … ( / )',
  operatorHint:
    'Search for a txid, an address or an order id (whole, its beginning, or as the panel shortens it), an explorer URL, a reference, a request id, an e-mail address, a part of a name, or a wallet.',
  userHint:
    'Search for a txid, an address or an order id (whole, its beginning, or as the panel shortens it), an explorer URL, an idempotency key, a payment reference, or a request id.',
  elsewhere: 'Open in a block explorer',
  movements: 'Credits and debits with this reference',
  booked: 'Booked',
  attempts: 'Refused attempts',
  nothing: (text: string) => `No results for “${text}”.`,
  first: (count: number) => `Showing the first ${count}.`,
};
