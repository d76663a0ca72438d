// The reference was at /docs: a link into it has its operation after the hash, which no server sees.
if (location.hash.startsWith('#/')) location.replace(`/docs/api${location.hash}`);
