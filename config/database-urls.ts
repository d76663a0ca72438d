/** The driver has no use for this one of the URL's own parameters: every connection here is to a server that takes writes. */
const OWN_PARAMETERS = /([?&])target_session_attrs=[^&]*(&|$)/;
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/;

/** A URL for each host, with what the URL says besides; of one host, a list of one. */
export function urlsOfHosts(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] = URL_PARTS.exec(databaseUrl) ?? [];
  const parameters = after.replace(OWN_PARAMETERS, (_, first: string, last: string) => (last === '&' ? first : ''));
  return hosts.split(',').map((host) => `${before}${host}${parameters}`);
}

/** Hosts and database, without user and password: for people. */
export function describeDatabase(databaseUrl: string): string {
  const urls = urlsOfHosts(databaseUrl).map((url) => new URL(url));
  return `${urls.map(({ host }) => host).join(',')}${urls[0]!.pathname}`;
}
