import { Get, Query, Req } from '@nestjs/common';
import { ownPath } from '../sign-in/own-path';
import { type Form, textOf } from './form';
import { ANSWER_PATH, KeptAnswers } from './kept-answers';
import { ThisVisit, type PanelRequest, type UserVisit } from './visit';
import { PanelController, WithoutSecondFactor } from './panel-controller.decorator';
import { type Reply, SeeOther } from './reply';

/** Shows what a form was answered with. The steps of setting up a second factor are such forms. */
@WithoutSecondFactor()
@PanelController('answer', 'user')
export class AnswerController {
  constructor(private readonly answers: KeptAnswers) {}

  @Get()
  async show(@ThisVisit() { messages }: UserVisit, @Req() request: PanelRequest, @Query() query: Form): Promise<Reply> {
    const answer = await this.answers.find(request, textOf(query, 'id'));
    if (answer) return answer;
    const form = ownPath(textOf(query, 'form'));
    const url = form.startsWith(ANSWER_PATH) ? '/panel' : form;
    return SeeOther.refused(url, messages.error.answerGone);
  }
}
