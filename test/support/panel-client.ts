export interface PanelAnswer {
  /** Status of the page; after a form that leads to the page that answers it, of that page. */
  readonly status: number;
  /** Status of the request itself. */
  readonly sentStatus: number;
  readonly headers: Headers;
  readonly text: string;
  readonly location: string | null;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A visitor without a browser: keeps cookies, follows nothing by itself but to the page that answers a form, and sends forms with the token of the page they are on. */
export class PanelClient {
  readonly cookies = new Map<string, string>();

  constructor(
    readonly baseUrl: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get(path: string): Promise<PanelAnswer> {
    return this.send('GET', path);
  }

  /** As a browser does: opens the page of the form, then sends it with what the page hides in it. */
  async submit(formPage: string, path: string, fields: Fields = {}): Promise<PanelAnswer> {
    const page = await this.get(formPage);
    const hidden = /name="_csrf" value="([^"]+)"/.exec(page.text)?.[1];
    if (hidden === undefined) throw new Error(`${formPage} has no form (${page.status})`);
    return this.post(path, { _csrf: hidden, ...fields });
  }

  /** As `submit`, but with all that the form of this address holds already, but for what is filled in. */
  async fillIn(formPage: string, path: string, fields: Fields = {}): Promise<PanelAnswer> {
    const { text, status } = await this.get(formPage);
    const held = heldIn(text, path);
    if (held === null) throw new Error(`${formPage} has no form for ${path} (${status})`);
    return this.post(path, { ...held, ...fields });
  }

  async post(path: string, fields: Fields = {}): Promise<PanelAnswer> {
    const answer = await this.postOnly(path, fields);
    if (!answer.location?.startsWith('/panel/answer?')) return answer;
    return { ...(await this.get(answer.location)), sentStatus: answer.status };
  }

  postOnly(path: string, fields: Fields = {}): Promise<PanelAnswer> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
    return this.send('POST', path, body.toString());
  }

  async signIn(email: string, password: string): Promise<PanelAnswer> {
    return this.submit('/panel/sign-in', '/panel/sign-in', { email, password });
  }

  private async send(method: string, path: string, body?: string): Promise<PanelAnswer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      body,
      headers: {
        ...this.headers,
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const { status, headers } = response;
    return { status, sentStatus: status, headers, text: await response.text(), location: headers.get('location') };
  }
}

/** What the form sends as it stands: buttons are not pressed. */
export function heldIn(page: string, action: string): Record<string, string> | null {
  const forms = page.match(/<form method="post".*?<\/form>/gs) ?? [];
  const form = forms.find((one) => one.includes(`action="${action}"`));
  if (form === undefined) return null;
  const inputs = form.match(/<input [^>]*>/g) ?? [];
  const sent = inputs.filter((input) => !/type="(?:checkbox|radio)"/.test(input) || / checked/.test(input));
  const attribute = (input: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  return Object.fromEntries(sent.map((input) => [attribute(input, 'name'), attribute(input, 'value')]));
}
