import { Get, Query } from '@nestjs/common';
import { convert } from '../../common/convert';
import { ServiceError } from '../../common/errors/service.error';
import { LaravelValidationPipe } from '../../common/validation/laravel-validation.pipe';
import { QuoteQuery, QuoteQueryDto } from '../../quote/dto/quote-query.dto';
import { MakeQuote } from '../../quote/make-quote';
import type { Quote } from '../../quote/quote';
import { type Form, textOf } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import type { FormProblem } from '../layout/form-problem';
import { textOfCode } from '../messages/code-text';
import { QUOTE_FIELDS, QuotePage } from './quote.page';

@PanelController('quote', 'user')
export class QuotePageController {
  private readonly validation = new LaravelValidationPipe();

  constructor(private readonly makeQuote: MakeQuote) {}

  /** A GET: it changes nothing and can be linked to. */
  @Get()
  async show(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const typed = Object.fromEntries(QUOTE_FIELDS.map((field) => [field, textOf(query, field)]));
    const asked = typed['receiver_address'] !== '';
    const answer = asked ? await this.quote(visit, typed) : {};
    const page = <QuotePage typed={typed} {...answer} />;
    return new Page(visit.messages.quote.title, page, 'problem' in answer ? 422 : 200);
  }

  /** As the API answers it, by the same rules and for the same account. */
  private async quote(
    { user, messages }: UserVisit,
    typed: Form,
  ): Promise<{ quote: Quote } | { problem: FormProblem }> {
    // Signed in instead of by a token: no token's limits apply.
    const caller = { id: user.id, tokenId: null, receivers: null };
    try {
      // A form sends its empty fields too.
      const given = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ''));
      const dto = this.validation.transform(given, { type: 'query', metatype: QuoteQueryDto }) as QuoteQueryDto;
      return { quote: await this.makeQuote.make(caller, convert(QuoteQuery, dto)) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const [field, problems] = Object.entries(error.details ?? {})[0] ?? [];
      const text = problems?.[0] ?? textOfCode(error.code, messages.answer.codes) ?? error.code;
      return { problem: { text, field } };
    }
  }
}
