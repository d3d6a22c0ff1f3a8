/** A person in Lagos, with the members that contacts require. */
export const testContact = {
  name: 'Ada Obi',
  organization: 'Obi Stores',
  email: 'ada@example.net',
  phone: '+2348031234567',
  address1: '12 Broad Street',
  city: 'Lagos',
  state: 'LA',
  postal_code: '101221',
  country: 'NG',
  extra: { registrant_type: 'person' },
} as const
