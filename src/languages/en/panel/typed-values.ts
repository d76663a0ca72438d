/** Only these are ever shown again: no password, no token, nothing that a form hides. */
export const typedValues = {
  typed: 'What you had typed:',
  fields: {
    email: 'E-mail',
    name: 'Name',
    permissions: 'Permissions',
    expires: 'Expires in days',
    kind: 'Movement',
    amount: 'Amount',
    note: 'Reason',
    reference: 'Reference',
    transactions: 'Transactions',
    days: 'Days',
    unit_price: 'Unit price',
    rate_limit: 'Calls a minute',
    reason: 'Reason',
    receiver: 'Receiver address',
    url: 'URL',
    events: 'Events',
    low_balance: 'Low balance',
  },
};
