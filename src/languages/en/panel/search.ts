export const search = {
  title: 'Search',
  operatorPlaceholder: 'Txid, address, order, user … ( / )',
  userPlaceholder: 'Txid, address, order … ( / )',
  operatorHint:
    'A txid, an address or an order’s id, whole, its beginning, as the panel shortens it, or an explorer’s URL; the reference of a movement, the id of a request, a user’s e-mail address or part of a name, a wallet.',
  userHint:
    'A txid, an address or an order’s id, whole, its beginning, as the panel shortens it, or an explorer’s URL; the key that you gave an order, the reference of a payment, the id of a request.',
  elsewhere: 'Look it up in a block explorer',
  movements: 'Credits and debits with this reference',
  booked: 'Booked',
  attempts: 'Refused before it became an order',
  nothing: (text: string) => `Nothing was found for “${text}”.`,
  first: (count: number) => `The first ${count} are shown.`,
};
