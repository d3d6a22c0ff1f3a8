/** What an order can be for (specification, "Order"). */
export const orderKinds = ['register', 'renew', 'transfer'] as const

export type OrderKind = (typeof orderKinds)[number]
