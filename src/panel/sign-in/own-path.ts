/** Back to the page that was asked for, within the panel. */
export function ownPath(next: string): string {
  return /^\/panel(?:[/?][\w\-./?=&%+~*]*)?$/.test(next) ? next : '/panel';
}

/** Where the code is asked for, before that page. */
export function codePath(next = '/panel'): string {
  return next === '/panel' ? '/panel/sign-in/code' : `/panel/sign-in/code?next=${encodeURIComponent(next)}`;
}
