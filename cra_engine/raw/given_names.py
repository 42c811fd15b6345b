"""Given names that are usual in English, German and neighbouring languages: by them a column of people is told."""

_NAMES = """
aaron abigail adam adrian agnes ahmed aisha alan albert alejandro alessandro alex alexander alexandra alfred ali alice
alicia alina amanda amelia amy ana andrea andreas andrew angela anita ann anna anne annette anthony antonia antonio
arthur astrid aurora barbara beate beatrice ben benjamin bernd bernhard bertha bettina birgit bo brian brigitte bruno
camille carl carla carlos carmen carol caroline catherine cecilia charles charlotte chloe chris christa christian
christina christine christoph christopher claire clara claudia claus clemens cornelia cristina cyril dagmar daniel
daniela david deborah denis dennis diana diego dieter dirk dominik dominique donald dora doris dorothea edith eduard
edward elena elias elisa elisabeth elizabeth ella elsa emil emilia emily emma eric erik erika erna ernst erwin esther
ethan eva evelyn fabian fatima felix ferdinand finn florian francesca francesco franz franziska fred frederick
friedrich fritz gabriel gabriele george georg gerald gerd gerda gerhard gertrud gisela giulia giuseppe grace greta
gregor guido gustav hanna hannah hans harald harold harry heather hedwig heidi heike heinrich heinz helen helena helga
helmut henry herbert hermann hilda hildegard holger horst hubert hugo ian ida ines ingeborg ingrid irene iris irma
isaac isabel isabella ivan jack jacob jakob james jan jana jane janet jason jean jeffrey jennifer jens jessica jim
joachim joan joanna johann johanna john jonas jonathan jorg jorge jose josef joseph joshua juan judith julia julian
julie jurg jurgen karen karin karl katharina katherine kathrin katja kelly kenneth kerstin kevin klara klaus konrad
kurt lara larry laura lea lena leo leon leonie liam lina linda lisa lothar louis louise luca lucas lucia lucy ludwig
luigi luis luisa lukas magdalena manfred manuel manuela marc marco marcus margaret margarete maria marianne marie
marina mario marion mark markus marlene marta martha martin martina mary mateo mathias matthew matthias max maximilian
megan melanie mia michael michaela miguel mila miriam mohamed mohammed monica monika moritz muhammad mustafa nadia
nancy natalie nathan nele nicholas nick nicole niklas nils nina noah nora norbert olaf oliver olivia omar oscar oskar
otto pablo pamela paolo pascal patricia patrick paul paula pauline pedro peggy peter petra philip philipp pia pierre
pietro rachel rainer ralf ralph raphael rebecca regina reinhard renate rene richard rita robert roberto roger roland
rolf romy ronald rosa rosemarie ruben rudolf ruth ryan sabine samira samuel sandra sara sarah scott sebastian selina
sergio sharon sibylle siegfried sigrid silke silvia simon simone sofia sonja sophia sophie stefan stefanie stephanie
stephen steven susan susanne sven sylvia tanja tatjana teresa theo theodor theresa thomas tim timothy tina tobias tom
torsten udo ulrich ulrike ursula ute uwe valentin valentina vanessa vera verena veronika victor victoria viktor
viktoria vincent walter waltraud werner wilhelm willi william wolfgang xavier yan yasmin yusuf yvonne zoe
"""
GIVEN_NAMES = frozenset(_NAMES.split())
